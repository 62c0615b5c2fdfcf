import type { PropertyPage } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";

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

// Ordered: the first word found in a feature's name or group decides.
const featureIcons: readonly [RegExp, IconName][] = [
  [/监控|门禁|前台|值班|保安|安保|secur|cctv|desk staffed|reception|concierge|safe/i, "shield"],
  [/无线|网络|wi-?fi|internet|broadband/i, "wifi"],
  [/账单|水电|水费|暖|bill|electric|gas|energy|heating|utilit/i, "bolt"],
  [/洗衣|laundr|wash/i, "wash"],
  [/健身|gym|fitness|sport/i, "gym"],
  [/自习|书桌|study|desk|library|workspace/i, "desk"],
  [/自行车|bike|bicycle|cycle/i, "bike"],
  [/花园|庭院|露台|garden|courtyard|terrace|outdoor|bbq/i, "tree"],
  [/停车|parking|car/i, "car"],
  [/clean|maintenance/i, "ok"],
  [/电梯|lift|elevator|access|entry|key/i, "key"],
  [/bus|shuttle|transport/i, "bus"],
  [/shop|store|vending|parcel|快递|包裹/i, "cart"],
  [/game|cinema|lounge|common|social|event/i, "users"],
  [/kitchen|dining|breakfast/i, "clock"],
];

/** The facts that decide, then the home in its own words. */
export function Overview({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const format = useFormat();
  const checked = property.provider_checked_on;
  const facts = property.facts.slice(0, 6);
  return (
    <section className="psec" id="overview" aria-label={t("property.overview")}>
      <div className="facts4">
        {facts.map((fact) => (
          <div key={fact.title}>
            <Icon name={factIcons[fact.icon] ?? "ok"} />
            <div>
              <p className="m">{fact.title}</p>
              <p className="t-14 soft">{fact.detail}</p>
            </div>
          </div>
        ))}
      </div>
      <p className="soft about">{property.description}</p>
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
          <Icon name={featureIcons.find(([words]) => words.test(feature.name))?.[1] ?? "check"} />
          <span>{feature.name}</span>
        </li>
      ))}
    </ul>
  );
}
