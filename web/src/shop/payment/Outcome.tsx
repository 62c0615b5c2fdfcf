import type { ReactNode } from "react";
import type { Payment } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { type NextStep, NextSteps } from "../ui/nextSteps.tsx";
import { openLead } from "../ui/overlays.ts";
import { calendarFile } from "./calendar.ts";
import { PriceSummary, useAmount } from "./PriceSummary.tsx";
import { RatingCard } from "./RatingCard.tsx";

interface OutcomeProps {
  icon: IconName;
  tone: "info" | "success" | "warning";
  title: string;
  /** A screen without a price beside it when the payment is not known. */
  aside?: ReactNode;
  children: ReactNode;
}

/** An end or a pause of the payment: glyph, what happened, what to do. */
export function Outcome({ icon, tone, title, aside, children }: OutcomeProps) {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap flow pay">
      <div aria-live="polite">
        <span className={`glyph glyph-${tone}`}>
          <Icon name={icon} />
        </span>
        <h1>{title}</h1>
        {children}
      </div>
      {aside ? <aside aria-label={t("payment.summary")}>{aside}</aside> : null}
    </main>
  );
}

/** Rows of name and value, such as the reference. */
export function Facts({ rows }: { rows: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="kv flow-facts">
      {rows.map(({ name, value }) => (
        <FactRow key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function FactRow({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="m">{value}</dd>
    </>
  );
}

/** The bank confirms later: safe to leave. `slow` is said on the complete page after 20 s (D98). */
export function Pending({ payment, slow = false }: { payment: Payment; slow?: boolean }) {
  const { t } = useI18n();
  const own = useOwnTime();
  const amount = useAmount(payment);
  const held = payment.hold_expires_at;
  return (
    <Outcome
      icon="hourglass"
      tone="info"
      title={t("payment.pending_title")}
      aside={<PriceSummary payment={payment} outcome="due" />}
    >
      <p className="t-18 soft flow-lead">{t(slow ? "payment.pending_slow" : "payment.pending_text")}</p>
      <Facts
        rows={[
          { name: t("payment.reference"), value: <span className="ref">{payment.reference}</span> },
          { name: t("payment.amount"), value: amount(payment.total_minor) },
          ...(held ? [{ name: t("payment.held_until"), value: own.moment(held) }] : []),
        ]}
      />
      <div className="row wrapx flow-acts">
        <ButtonLink look="primary" href={paths.bookings()}>
          {t("payment.view_bookings")}
        </ButtonLink>
        <AskAbout />
      </div>
      <p className="row t-14 muted" style={{ marginTop: 20 }}>
        <span className="spin" aria-hidden="true" style={{ width: 14, height: 14, borderWidth: 2 }} />
        {t("payment.updates")}
      </p>
    </Outcome>
  );
}

/** The room is booked: reference, receipt, what comes next; money that went back is said beside it. */
export function Paid({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const own = useOwnTime();
  const shown = useAmount(payment);
  const amount = shown(payment.total_minor);
  const card = payment.card;
  const brand = card ? card.brand.charAt(0).toUpperCase() + card.brand.slice(1) : "";
  const calendar = calendarFile(
    t("payment.calendar_event", { name: payment.inventory_root.name }),
    payment.room.move_in_date,
    payment.reference,
  );
  return (
    <Outcome
      icon="check"
      tone="success"
      title={t("payment.success_title")}
      aside={<PriceSummary payment={payment} outcome="paid" />}
    >
      <p className="t-18 soft flow-lead">{t("payment.success_text", { amount })}</p>
      {payment.refunded_minor > 0 ? (
        <p className="soft">{t("payment.part_back", { amount: shown(payment.refunded_minor) })}</p>
      ) : null}
      <BankHas payment={payment} />
      <Facts
        rows={[
          { name: t("payment.reference"), value: <span className="ref">{payment.reference}</span> },
          ...(card
            ? [{ name: t("payment.paid_with"), value: t("payment.paid_card", { brand, last4: card.last4 }) }]
            : []),
          ...(payment.succeeded_at ? [{ name: t("payment.date"), value: own.moment(payment.succeeded_at) }] : []),
          {
            name: t("payment.receipt"),
            value: <OpenReceipt payment={payment} />,
          },
        ]}
      />
      <h2 className="flow-part">{t("payment.next_title")}</h2>
      <NextSteps steps={useNextSteps(payment)} />
      <div className="row wrapx flow-acts">
        <ButtonLink look="primary" href={paths.bookings()}>
          {t("payment.view_bookings")}
        </ButtonLink>
        <a className="btn btn-quiet" href={calendar} download={`${payment.reference}.ics`}>
          <Icon name="cal" size={20} />
          {t("payment.add_calendar")}
        </a>
      </div>
      <RatingCard payment={payment} />
    </Outcome>
  );
}

/** Says what a bank took back, or keeps until it has decided a dispute. */
export function BankHas({ payment }: { payment: Payment }) {
  return payment.bank_has === null ? null : <p className="soft">{payment.bank_has}</p>;
}

/** Opens the form that asks the desk. */
export function AskAbout() {
  const { t } = useI18n();
  return (
    <Button onClick={() => openLead(null, "get_help")}>
      <Icon name="headset" size={20} />
      {t("payment.ask_about")}
    </Button>
  );
}

/** The way to the receipt. */
export function OpenReceipt({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  return <Link href={paths.paymentReceipt(payment.token)}>{t("payment.open_receipt")}</Link>;
}

function useNextSteps(payment: Payment): NextStep[] {
  const { t } = useI18n();
  const format = useFormat();
  // Only what is known of every home: none says when it sends an agreement, or where keys are handed out.
  return [
    { icon: "file", title: t("payment.next_details_title"), text: t("payment.next_details") },
    { icon: "key", title: format.date(payment.room.move_in_date), text: t("payment.next_key") },
  ];
}

interface StuckProps {
  title: string;
  text: string;
  payment: Payment | null;
  onAgain: () => void;
}

/** The payment could not begin, or the server is out of reach: nothing was charged, trying again is safe. */
export function Stuck({ title, text, payment, onAgain }: StuckProps) {
  const { t } = useI18n();
  return (
    <Outcome
      icon="alert"
      tone="warning"
      title={title}
      aside={payment ? <PriceSummary payment={payment} outcome="due" /> : null}
    >
      <p className="t-18 soft flow-lead">{text}</p>
      <div className="row wrapx flow-acts">
        <Button look="primary" onClick={onAgain}>
          {t("payment.try_again")}
        </Button>
        <AskAbout />
      </div>
    </Outcome>
  );
}
