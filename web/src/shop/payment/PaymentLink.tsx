import type { Payment } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { openLead } from "../ui/overlays.ts";
import { BankHas, Facts, Outcome } from "./Outcome.tsx";
import { PriceSummary, useAmount } from "./PriceSummary.tsx";

/** What the maker of a link says: its day, its end and a note, above the way to pay. */
export function LinkNotice({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const format = useFormat();
  const own = useOwnTime();
  if (payment.link === null) return null;
  const { due_on, note } = payment.link;
  return (
    <div className="stack g8" data-payment-link>
      {due_on === null ? null : (
        <p className="hold">
          <Icon name="cal" size={20} />
          <span>{t("stay.link_due", { date: format.date(due_on) })}</span>
        </p>
      )}
      {note === "" ? null : <p className="t-18 soft">{note}</p>}
      <p className="t-14 muted">{t("stay.link_good_until", { date: own.moment(payment.expires_at) })}</p>
    </div>
  );
}

/** Withdrawn or expired: says so, and that nothing was charged. */
export function LinkOver({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const how = payment.cancelled_at === null ? "expired" : "withdrawn";
  return (
    <Outcome
      icon="clock"
      tone="warning"
      title={t(`stay.link_${how}_title`)}
      aside={<PriceSummary payment={payment} outcome="nothing" />}
    >
      <p className="t-18 soft flow-lead">{t(`stay.link_${how}_text`)}</p>
      <Ways />
    </Outcome>
  );
}

/** A link's payment arrived: the booking is another payment's. */
export function LinkPaid({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const own = useOwnTime();
  const amount = useAmount(payment)(payment.total_minor);
  const isBack = payment.refunded_minor >= payment.total_minor;
  const how = isBack ? "refunded" : "paid";
  const text = !isBack && payment.booking === "ended" ? "payment.link_paid_ended" : (`stay.link_${how}_text` as const);
  return (
    <Outcome
      icon={isBack ? "info" : "check"}
      tone={isBack ? "info" : "success"}
      title={t(`stay.link_${how}_title`)}
      aside={<PriceSummary payment={payment} outcome="paid" />}
    >
      <p className="t-18 soft flow-lead">{t(text, { amount })}</p>
      <BankHas payment={payment} />
      <Facts
        rows={[
          { name: t("payment.reference"), value: <span className="ref">{payment.reference}</span> },
          ...(payment.succeeded_at ? [{ name: t("payment.date"), value: own.moment(payment.succeeded_at) }] : []),
        ]}
      />
      <Ways />
    </Outcome>
  );
}

/** The booking ended while its link was paid: the money goes back. */
export function LinkWithoutBooking({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const amount = useAmount(payment)(payment.total_minor);
  return (
    <Outcome
      icon="info"
      tone="info"
      title={t("stay.link_ended_title")}
      aside={<PriceSummary payment={payment} outcome="nothing" />}
    >
      <p className="t-18 soft flow-lead">{t("stay.link_ended_text", { amount })}</p>
      <Ways />
    </Outcome>
  );
}

function Ways() {
  const { t } = useI18n();
  return (
    <div className="row wrapx flow-acts">
      <ButtonLink look="primary" href={paths.bookings()}>
        {t("payment.view_bookings")}
      </ButtonLink>
      <Button onClick={() => openLead(null, "get_help")}>
        <Icon name="headset" size={20} />
        {t("stay.ask_us")}
      </Button>
    </div>
  );
}
