import type { Payment } from "../../contract/wire.ts";
import { money } from "../../i18n/format.ts";
import { type Translate, useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RoomLine } from "../ui/flowFrame.tsx";

type Amounts = Pick<Payment, "currency" | "symbol" | "decimals">;

/** Home, stay and amounts: of a payment, or of the sample that stands for one on its way. */
export interface Priced
  extends Amounts,
    Pick<Payment, "room" | "lines" | "total_minor" | "refunded_minor" | "refunds" | "link">,
    Pick<Payment, "processing_fee_minor" | "processing_fee_percent"> {
  inventory_root: { name: string; image: string | null };
}

/** Amounts of one payment in its own currency, pence always shown. */
export function useAmount(payment: Amounts): (minor: number) => string {
  const { lang } = useI18n();
  return (minor) => money(minor, payment, lang, "exact");
}

interface PriceSummaryProps {
  payment: Priced;
  /** `due` before, `paid` after, `nothing` where no money stays. */
  outcome: "due" | "paid" | "nothing";
}

/** What is paid and why: each amount on its own line, the fee with its percentage, then the total. */
export function PriceSummary({ payment, outcome }: PriceSummaryProps) {
  const { t } = useI18n();
  const amount = useAmount(payment);
  const total = outcome === "due" ? t("payment.total") : t(outcome === "paid" ? "payment.paid" : "payment.charged");
  return (
    <div className="card sumcard sum-full">
      <RoomLine
        home={payment.inventory_root.name}
        image={payment.inventory_root.image}
        room={payment.room.name}
        lease={payment.room}
      />
      {outcome === "nothing" ? null : <Lines payment={payment} />}
      <div className="total">
        <span>{total}</span>
        <span>{amount(outcome === "nothing" ? 0 : payment.total_minor)}</span>
      </div>
      <p className="t-14 muted" style={{ marginTop: 4 }}>
        {outcome === "nothing"
          ? t("payment.nothing_taken")
          : t("payment.currency_note", { currency: payment.currency })}
      </p>
      {outcome === "due" && payment.link === null ? <LaterRent payment={payment} /> : null}
      <Refunds payment={payment} />
    </div>
  );
}

function Lines({ payment }: { payment: Priced }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const amount = useAmount(payment);
  return (
    <dl className="lines under">
      {payment.lines.map((line) => (
        <div key={line.type}>
          <dt>
            {t(`payment.type_${line.type}`)}
            {notesOf(line, t).map((note) => (
              <small key={note}>{note}</small>
            ))}
          </dt>
          <dd>{amount(line.amount_minor)}</dd>
        </div>
      ))}
      {payment.processing_fee_minor === 0 ? null : (
        <div>
          <dt>
            {t("payment.processing")}
            <small>{t("payment.processing_note", { percent: number(Number(payment.processing_fee_percent)) })}</small>
          </dt>
          <dd>{amount(payment.processing_fee_minor)}</dd>
        </div>
      )}
    </dl>
  );
}

// A deposit is the home's own or our standard amount, and comes back as far as the home says so.
function notesOf({ type, is_default, refundable_days }: Payment["lines"][number], t: Translate): string[] {
  if (type !== "deposit") return [t(`payment.note_${type}`)];
  return [
    ...(is_default ? [t("payment.note_deposit_default")] : []),
    ...(refundable_days === null ? [] : [t("payment.note_deposit_days", { n: refundable_days })]),
  ];
}

/** The rent of the whole stay, where its period and the stay's unit are the same. */
function LaterRent({ payment }: { payment: Priced }) {
  const { t, lang } = useI18n();
  const { room } = payment;
  const fits = (room.rent.duration === "weekly") === (room.lease_duration_unit === "weeks");
  if (!fits || room.rent.amount_minor === 0) return null;
  const rent = money(room.rent.amount_minor * room.lease_duration, room.rent, lang);
  return (
    <div className="t-14 soft under" style={{ paddingTop: 16 }}>
      <p className="m" style={{ color: "var(--ink-900)" }}>
        {t("payment.later", { name: payment.inventory_root.name })}
      </p>
      <p>{t("payment.later_rent", { amount: rent })}</p>
    </div>
  );
}

function Refunds({ payment }: { payment: Priced }) {
  const { t } = useI18n();
  const amount = useAmount(payment);
  const coming = payment.refunds
    .filter((refund) => refund.status === "requested" || refund.status === "sent")
    .reduce((sum, refund) => sum + refund.amount_minor, 0);
  return (
    <>
      {payment.refunded_minor > 0 ? (
        <p className="t-14 under">{t("payment.refunded", { amount: amount(payment.refunded_minor) })}</p>
      ) : null}
      {coming > 0 ? <p className="t-14 under">{t("payment.refund_coming", { amount: amount(coming) })}</p> : null}
    </>
  );
}

/** On phones the price comes first, in two lines that open. */
export function PriceMini({ payment }: { payment: Priced }) {
  const { t } = useI18n();
  const amount = useAmount(payment);
  const lines = payment.lines
    .map((line) => `${amount(line.amount_minor)} ${t(`payment.type_${line.type}`)}`)
    .join(t("ui.comma"));
  return (
    <details className="card sum-mini only-narrow">
      <summary>
        <span className="pic">
          {payment.inventory_root.image ? <img src={payment.inventory_root.image} alt="" /> : null}
        </span>
        <span className="grow">
          <span className="m" style={{ display: "block", lineHeight: 1.35 }}>
            {t("payment.total")} {amount(payment.total_minor)}
          </span>
          <span className="t-14 soft" style={{ display: "block" }}>
            {payment.processing_fee_minor === 0
              ? lines
              : t("payment.mini_fees", { lines, fee: amount(payment.processing_fee_minor) })}
          </span>
        </span>
        <Icon name="chev-d" size={20} />
      </summary>
      <Lines payment={payment} />
    </details>
  );
}
