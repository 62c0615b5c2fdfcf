import type { ReactNode } from "react";
import type { ReceiptClock, ReceiptFacts } from "../../contract/wire.ts";
import { date, money } from "../../i18n/format.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { FALLBACK } from "../../i18n/languages.ts";
import { onOwnClock, useOwnTime } from "../../ownTime.ts";
import { cityOf } from "../../zoneClock.ts";
import { plainSymbolOf } from "../ui/currency.ts";

/** Amounts as on the payment's page; a paper is also read by people who do not know whose dollar `$` is. */
export function useReceiptAmount(facts: ReceiptFacts): (minor: number) => string {
  const { lang } = useI18n();
  const look = { symbol: plainSymbolOf(facts.currency), decimals: facts.decimals };
  return (minor) => money(minor, look, lang, "exact");
}

/** A document's times as its PDF tells them: on the home's clock, by its name; where it names none, on the reader's own. */
export function useDocumentTime(clock: ReceiptClock | null): (iso: string) => string {
  const { lang, t } = useI18n();
  const own = useOwnTime();
  if (clock === null) return own.moment;
  return (iso) => t("receipt.at_clock", { at: date(onOwnClock(iso, clock.zone), "moment", lang), clock: clock.name });
}

/** The reader's own clock by its name, in the browser alone; null where the device names no place, as one that is set to UTC. */
export function useOwnClock(zone = Intl.DateTimeFormat().resolvedOptions().timeZone): ReceiptClock | null {
  const { lang, t } = useI18n();
  if (!zone.includes("/") || zone.startsWith("Etc/")) return null;
  // A zone's key has its city in one language alone.
  return { zone, name: lang === FALLBACK ? t("verify.clock", { city: cityOf(zone) }) : t("verify.own_clock") };
}

interface DocumentProps {
  facts: ReceiptFacts;
  clock?: ReceiptClock | null;
}

/** What the signed events say: amounts, total, and what went back. */
export function Amounts({ facts, clock = null }: DocumentProps) {
  const { t } = useI18n();
  const told = useDocumentTime(clock);
  const amount = useReceiptAmount(facts);
  const returned = facts.kind === "receipt" ? facts.refunds.filter((refund) => !refund.failed) : [];
  // Where no processing fee was added, papers older than this rule still carry a line of 0.
  const lines = facts.lines.filter((line) => line.kind !== "processing_fee" || line.amount_minor !== 0);
  return (
    <>
      <dl className="receipt-lines">
        {lines.map((line) => (
          <div key={line.kind}>
            <dt>{t(`receipt.line_${line.kind}`)}</dt>
            <dd>{amount(line.amount_minor)}</dd>
          </div>
        ))}
      </dl>
      <div className="receipt-total">
        <span>{t(facts.kind === "receipt" ? "receipt.total_paid" : "receipt.total_refunded")}</span>
        <span>{amount(facts.total_minor)}</span>
      </div>
      {returned.length > 0 ? (
        <>
          <h2 className="t-18">{t("receipt.refunds")}</h2>
          <dl className="receipt-lines">
            {returned.map((refund) => (
              <div key={refund.number}>
                <dt>{t("receipt.refund_row", { number: refund.number, date: told(refund.at) })}</dt>
                <dd>−{amount(refund.amount_minor)}</dd>
              </div>
            ))}
          </dl>
          <div className="receipt-total">
            <span>{t("receipt.kept")}</span>
            <span>{amount(facts.total_minor - facts.refunded_minor)}</span>
          </div>
        </>
      ) : null}
      {facts.refunds.some((refund) => refund.failed) ? (
        <p className="t-14 muted">{t("receipt.refund_failed")}</p>
      ) : null}
    </>
  );
}

/** Name and value side by side, without the rows that have none. */
export function Rows({ rows }: { rows: readonly [name: string, value: ReactNode][] }) {
  return (
    <dl className="receipt-rows">
      {rows.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="m">{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** Number, date and currency of a document. */
export function useNumberRows({ facts, clock = null }: DocumentProps): [name: string, value: ReactNode][] {
  const { t } = useI18n();
  const told = useDocumentTime(clock);
  return [
    [
      t("receipt.number"),
      <span key="number" className="ref">
        {facts.number}
      </span>,
    ],
    [t("receipt.date"), told(facts.issued_at)],
    [t("receipt.for_receipt"), facts.receipt_number],
  ];
}
