import type { Period, Price } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../../ui/icon.tsx";
import { choosePeriod, inPeriod, usePeriod } from "./period.ts";
import { per } from "./priceText.ts";

/** A price is never alone: "From" before it where it is the lowest of several, its period after it. */
export function PriceTag({
  price,
  from = false,
  className = "",
}: {
  price: Price;
  from?: boolean;
  className?: string;
}) {
  const { t } = useI18n();
  const format = useFormat();
  const shown = inPeriod(price, usePeriod());
  return (
    <p className={`price ${className}`.trim()}>
      {from ? <small>{t("ui.from")} </small> : null}
      {format.money(shown.amount_minor, shown)}
      <small> {t(per[shown.duration])}</small>
    </p>
  );
}

/** The site's week or month switch. */
export function PeriodSwitch({ fallback }: { fallback: Period }) {
  const { t } = useI18n();
  const period = usePeriod() ?? fallback;
  return (
    <fieldset className="seg" aria-label={t("ui.price_period")}>
      <button type="button" aria-pressed={period === "weekly"} onClick={() => choosePeriod("weekly")}>
        {t("ui.by_week")}
      </button>
      <button type="button" aria-pressed={period === "monthly"} onClick={() => choosePeriod("monthly")}>
        {t("ui.by_month")}
      </button>
    </fieldset>
  );
}

/** Star, number and how many said so. */
export function Rating({ rating, count }: { rating: number; count?: number }) {
  const { t } = useI18n();
  const format = useFormat();
  return (
    <span className="rating">
      <Icon name="star" size={16} className="i-fill star" />
      <span className="vh">{t("ui.rated")} </span>
      {format.rating(rating)}
      {count ? <span className="muted regular"> ({format.number(count)})</span> : null}
    </span>
  );
}
