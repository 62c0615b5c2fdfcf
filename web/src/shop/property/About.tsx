import type { PropertyPage } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { hasOverview } from "./AnchorNav.tsx";
import { featureIcon } from "./featureIcon.ts";
import { langOf } from "./langOf.ts";

const factIcons: Record<string, IconName> = {
  walk: "walk",
  bus: "bus",
  bolt: "bolt",
  bills: "bolt",
  users: "users",
  people: "users",
  residents: "users",
  shield: "shield",
  checked: "shield",
  verified: "shield",
  building: "building",
  door: "door",
  bed: "door",
  room: "door",
  home: "building",
  calendar: "cal",
  cal: "cal",
  clock: "clock",
  wifi: "wifi",
  university: "cap",
  cap: "cap",
  pin: "pin",
  key: "key",
  gym: "gym",
};

/** The facts that decide, then the home in its own words. */
export function Overview({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const format = useFormat();
  const checked = property.provider_checked_on;
  const facts = property.facts.slice(0, 6);
  if (!hasOverview(property)) return null;
  return (
    <section className="psec" id="overview" aria-label={t("property.overview")}>
      <div className="facts4">
        {facts.map((fact) => (
          <div key={fact.title}>
            <Icon name={factIcons[fact.icon] ?? "ok"} />
            <div>
              <p className="m">{fact.title}</p>
              {fact.detail ? <p className="t-14 soft">{fact.detail}</p> : null}
            </div>
          </div>
        ))}
      </div>
      {property.description ? (
        <p className="soft about" lang={langOf(property, property.description)}>
          {property.description}
        </p>
      ) : null}
      {checked && !facts.some(({ icon }) => factIcons[icon] === "shield") ? (
        <p className="t-14 muted">{t("property.checked_on", { date: format.date(checked) })}</p>
      ) : null}
    </section>
  );
}

const featuresShown = 12;

/** What the house has; a long list opens on request. */
export function Amenities({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const { features } = property;
  if (features.length === 0) return null;
  const rest = features.slice(featuresShown);
  return (
    <section className="psec" id="amenities">
      <h2>{t("property.amenities")}</h2>
      <FeatureList features={features.slice(0, featuresShown)} />
      {rest.length > 0 ? (
        <details className="more-list">
          <summary className="link tap">{t("property.more_amenities", { n: rest.length })}</summary>
          <FeatureList features={rest} />
        </details>
      ) : null}
    </section>
  );
}

function FeatureList({ features }: { features: PropertyPage["features"] }) {
  return (
    <ul className="amen">
      {features.map((feature) => (
        <li key={`${feature.group}:${feature.name}`}>
          <Icon name={featureIcon(feature.name)} />
          <span>{feature.name}</span>
        </li>
      ))}
    </ul>
  );
}
