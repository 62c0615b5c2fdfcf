import type { CurrencyTotals } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { localeOf } from "../../ui/localeOf.ts";
import { exact } from "../amounts.ts";
import { Scrolling } from "../Scrolling.tsx";

/** In the place of totals that are on their way. */
const nothing: CurrencyTotals = {
  currency: "GBP",
  decimals: 2,
  net_minor: 0,
  captured_minor: 0,
  refunded_minor: 0,
  pending_minor: 0,
  disputed_minor: 0,
  fees_minor: 0,
};

/** The tiles' place, as high as they will be. */
export function TilesComing() {
  return (
    <div className="unseen" aria-hidden="true">
      <Tiles totals={[nothing]} />
    </div>
  );
}

/** One tile per currency: what came in, what went back, what waits. */
export function Tiles({ totals }: { totals: CurrencyTotals[] }) {
  const { t, lang } = useI18n();
  if (totals.length === 0) return null;
  const names = new Intl.DisplayNames([localeOf(lang)], { type: "currency" });
  return (
    <Scrolling as="section" className="tiles" aria-label={t("finance.totals")}>
      {totals.map((total) => (
        <Tile key={total.currency} total={total} name={names.of(total.currency) ?? ""} />
      ))}
    </Scrolling>
  );
}

function Tile({ total, name }: { total: CurrencyTotals; name: string }) {
  const { t } = useI18n();
  const { currency, decimals } = total;
  const line = (label: string, minor: number) => (
    <div>
      <dt>{label}</dt>
      <dd>{exact(minor, decimals)}</dd>
    </div>
  );
  return (
    <article className="tile">
      <header>
        <h2 className="bb">{currency}</h2>
        <span className="sub">{name}</span>
      </header>
      <p className="net num">
        {exact(total.net_minor, decimals)} <small>{t("finance.net")}</small>
      </p>
      <dl className="num">
        {line(t("finance.captured"), total.captured_minor)}
        {line(t("finance.refunded"), total.refunded_minor === 0 ? 0 : -Math.abs(total.refunded_minor))}
        {line(t("finance.pending"), total.pending_minor)}
        {total.disputed_minor === 0 ? null : line(t("finance.disputed"), -total.disputed_minor)}
        {total.fees_minor === 0 ? null : line(t("finance.dispute_fees"), -total.fees_minor)}
      </dl>
    </article>
  );
}
