import { useState } from "react";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Link } from "../Link.tsx";
import { usePriceText } from "../ui/priceText.ts";

type Country = PageOf<"home">["data"]["countries"][number];

const firstShown = 6;

/** A country's popular cities: six, and the rest on request. */
export function CityGrid({ country, shown }: { country: Country; shown: boolean }) {
  const { t } = useI18n();
  const [all, setAll] = useState(false);
  const rest = country.cities.length - firstShown;
  return (
    <>
      <div className="cities">
        {country.cities.map((city, at) => (
          <City
            key={city.canonical_name}
            city={city}
            hidden={!all && at >= firstShown}
            seen={shown && (all || at < firstShown)}
          />
        ))}
      </div>
      {rest > 0 && !all ? (
        <button type="button" className="link tap more-cities" onClick={() => setAll(true)}>
          {t("home.all_cities", { n: country.cities.length, country: country.name })}
        </button>
      ) : null}
    </>
  );
}

// A hidden city keeps its link for readers without scripts; its picture comes when it is shown.
function City({ city, hidden, seen }: { city: Country["cities"][number]; hidden: boolean; seen: boolean }) {
  const { t } = useI18n();
  const format = useFormat();
  const priceText = usePriceText();
  return (
    <Link className="city" href={paths.search(city.canonical_name)} hidden={hidden}>
      <div className="pic">
        {seen ? (
          <img
            src={`/assets/cities/${city.canonical_name}.svg`}
            alt=""
            loading="lazy"
            width={200}
            height={250}
            // A city that nobody has drawn shows the catalogue's picture.
            onError={({ currentTarget }) => {
              if (!currentTarget.src.endsWith(city.image)) currentTarget.src = city.image;
            }}
          />
        ) : null}
      </div>
      <h3>{city.name}</h3>
      <p className="t-14 soft num">
        {t("home.homes", { n: city.homes, count: format.number(city.homes) })}
        {city.from ? (
          <>
            <br />
            {t("home.from", { price: priceText(city.from) })}
          </>
        ) : null}
      </p>
    </Link>
  );
}
