import { type ReactNode, useEffect, useRef, useState } from "react";
import type { PropertyPage, Travel } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import * as paths from "../../paths.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";
import { useMinutes } from "../ui/card/travel.ts";
import { MapComing, PlaceMap } from "../ui/map/MapComing.tsx";
import type { LatLng } from "../ui/map/projection.ts";
import { hasLocation, pointOf } from "./point.ts";

/** Where the home is, how long the ways are, and what is near. */
export function Location({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const minutes = useMinutes();
  const { universities, places } = property.nearby;
  const [first] = universities;
  const point = pointOf(property);
  if (!hasLocation(property)) return null;
  return (
    <section className="psec" id="location">
      <h2>{t("property.location")}</h2>
      {point ? <LocationMap property={property} point={point} /> : null}
      {first ? (
        <div className="row wrapx travel-ways">
          <Way icon="walk" name={t("property.on_foot")} travel={first.walking} />
          {first.transit ? <Way icon="bus" name={t("property.by_bus")} travel={first.transit} /> : null}
          <Way icon="car" name={t("property.by_car")} travel={first.driving} />
          <span className="t-14 muted">{t("property.to_place", { place: first.name })}</span>
        </div>
      ) : null}
      <div className="near">
        {universities.length > 0 ? (
          <Near icon="cap" title={t("property.universities")}>
            {universities.slice(0, 5).map((university) => (
              <li key={university.id}>
                <Link href={paths.search(university.canonical_name)}>{university.name}</Link>
                <span>{t("ui.walk", { minutes: minutes(university.walking) })}</span>
              </li>
            ))}
          </Near>
        ) : null}
        {nearKinds
          .filter((kind) => places.some((place) => nearKind(place.kind) === kind))
          .map((kind) => (
            <Near key={kind} icon={nearIcons[kind]} title={t(nearNames[kind])}>
              {places
                .filter((place) => nearKind(place.kind) === kind)
                .slice(0, 5)
                .map((place) => (
                  <li key={place.name}>
                    <span>{place.name}</span>
                    <span>{t("ui.walk", { minutes: minutes(place.walking) })}</span>
                  </li>
                ))}
            </Near>
          ))}
      </div>
    </section>
  );
}

type NearKind = "transit" | "daily" | "free";

const nearKinds: readonly NearKind[] = ["transit", "daily", "free"];
const nearIcons: Record<NearKind, IconName> = { transit: "train", daily: "cart", free: "tree" };
const nearNames: Record<NearKind, MessageKey> = {
  transit: "property.near_transit",
  daily: "property.near_daily",
  free: "property.near_free",
};

function nearKind(kind: string): NearKind {
  if (/bus|station|transit|transport|getting_around|metro|tram/.test(kind)) return "transit";
  return /park|cafe|free|library|leisure|museum|cinema/.test(kind) ? "free" : "daily";
}

function Way({ icon, name, travel }: { icon: IconName; name: string; travel: Travel }) {
  const { t } = useI18n();
  const minutes = useMinutes();
  return (
    <span className="row m g8" title={name}>
      <Icon name={icon} size={20} />
      <span className="vh">{name}: </span>
      {t("property.minutes", { n: minutes(travel) })}
    </span>
  );
}

function Near({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="near-title">
        <Icon name={icon} size={20} />
        {title}
      </h3>
      <ul>{children}</ul>
    </div>
  );
}

// The map's code comes when the reader is near it.
function LocationMap({ property, point }: { property: PropertyPage; point: LatLng }) {
  const { t } = useI18n();
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!box.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: "300px",
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const { name, nearby } = property;
  const landmarks = nearby.universities.slice(0, 2);
  return (
    <div className="locmap" ref={box}>
      {near ? (
        <PlaceMap
          label={t("property.map_of", { name })}
          center={{ ...point, label: name, is_university: false }}
          landmarks={landmarks}
          areas={[]}
          pins={[]}
          home
        />
      ) : (
        <MapComing />
      )}
    </div>
  );
}
