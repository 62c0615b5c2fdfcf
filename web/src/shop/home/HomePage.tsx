import "./home.css";
import { Fragment, type ReactNode, useState } from "react";
import type { HomeSection } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { FALLBACK } from "../../i18n/languages.ts";
import type { PageOf } from "../../page.ts";
import { useChrome } from "../../pageContext.ts";
import * as paths from "../../paths.ts";
import { Link } from "../Link.tsx";
import { RecentlyViewed } from "../ui/card/RecentlyViewed.tsx";
import { openLead } from "../ui/overlays.ts";
import { PlaceSearch } from "../ui/search/PlaceSearch.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { CityGrid } from "./CityGrid.tsx";
import facade from "./facade.svg";
import facadeNarrow from "./facade-narrow.svg";
import friends from "./friends.svg";

/** Search, popular cities by country, what was viewed before, and how it works. */
export default function HomePage({ page }: { page: PageOf<"home"> }) {
  const { countries, totals } = page.data;
  const { brand } = useChrome();
  const sections: Record<HomeSection, ReactNode> = {
    cities: countries[0] ? <PopularCities countries={countries} /> : null,
    recent: <RecentlyViewed />,
    facts: <Facts />,
    how_it_works: <HowItWorks />,
    ask: <AskBand />,
  };
  return (
    <main id="main">
      <Hero totals={totals} />
      {(brand?.sections ?? SECTIONS).map((name) => (
        <Fragment key={name}>{sections[name]}</Fragment>
      ))}
    </main>
  );
}

/** Below the search, in the order that ships. */
const SECTIONS: readonly HomeSection[] = ["cities", "recent", "facts", "how_it_works", "ask"];

type Home = PageOf<"home">["data"];

function Hero({ totals }: { totals: Home["totals"] }) {
  const { t, lang } = useI18n();
  const format = useFormat();
  const { brand, countries } = useChrome();
  return (
    <section className="hero">
      <div className="wrap hero-grid">
        <div>
          <h1>{brand?.hero ?? t("home.title")}</h1>
          <p className="lede">
            {brand?.hero_lede ?? t("home.lede", { n: totals.universities, count: format.number(totals.universities) })}
          </p>
          <PlaceSearch />
          <nav className="hero-countries" aria-label={t("home.countries")}>
            {countries.map((country) => (
              <Link key={country.key} className="chip" href={paths.search(country.canonical_name)}>
                {lang === FALLBACK && /^u[sk]$/.test(country.key) ? country.key.toUpperCase() : country.name}
              </Link>
            ))}
          </nav>
        </div>
        <picture className="hero-art">
          <source media="(min-width: 1024px)" srcSet={facade} width={550} height={548} />
          <img className="facade" src={facadeNarrow} alt={t("home.facade")} width={534} height={240} />
        </picture>
      </div>
    </section>
  );
}

function PopularCities({ countries }: { countries: Home["countries"] }) {
  const { t } = useI18n();
  const [current, setCurrent] = useState(countries[0]?.key ?? "");
  const tabs = countries.map((country) => ({
    key: country.key,
    label: (
      <>
        {country.name} <span className="num regular">{country.cities.length}</span>
      </>
    ),
    panel: <CityGrid country={country} shown={country.key === current} />,
  }));
  return (
    <section className="sec">
      <div className="wrap">
        <h2>{t("home.popular")}</h2>
        <div className="city-tabs">
          <Tabs label={t("home.country")} tabs={tabs} current={current} onChange={setCurrent} />
        </div>
      </div>
    </section>
  );
}

function Facts() {
  const { t } = useI18n();
  const { rating, downloads } = useChrome();
  return (
    <section className="sec">
      <div className="wrap">
        <div className="facts">
          <Fact big={rating && t("home.rating", { rating })} words={t("home.rating_words")} />
          <Fact big={downloads} words={t("home.downloads_words")} />
          <Fact big={t("home.fee")} words={t("home.fee_words")} />
        </div>
      </div>
    </section>
  );
}

// A figure that the house does not set is absent.
function Fact({ big, words }: { big: string | null; words: string }) {
  return big === null ? null : (
    <div className="fact">
      <div>
        <p className="big">{big}</p>
        <p className="t-14 soft">{words}</p>
      </div>
    </div>
  );
}

function HowItWorks() {
  const { t } = useI18n();
  return (
    <section className="sec">
      <div className="wrap">
        <h2 className="how">{t("home.how")}</h2>
        <ol className="steps">
          <li className="step">
            <h3>{t("home.step1")}</h3>
            <p className="soft">{t("home.step1_words")}</p>
          </li>
          <li className="step">
            <h3>{t("home.step2")}</h3>
            <p className="soft">{t("home.step2_words")}</p>
          </li>
          <li className="step">
            <h3>{t("home.step3")}</h3>
            <p className="soft">{t("home.step3_words")}</p>
          </li>
        </ol>
      </div>
    </section>
  );
}

function AskBand() {
  const { t } = useI18n();
  return (
    <section className="sec">
      <div className="wrap">
        <div className="band">
          <div className="band-words">
            <h2>{t("home.ask")}</h2>
            <p>{t("home.ask_words")}</p>
            <button type="button" className="btn btn-amber" onClick={() => openLead(null, "get_help")}>
              {t("home.ask_button")}
            </button>
          </div>
          <img className="bandart only-wide" src={friends} alt="" width={330} height={220} />
        </div>
      </div>
    </section>
  );
}
