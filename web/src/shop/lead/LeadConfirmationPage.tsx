import { Fragment } from "react";
import type { Lead, LeadVariant } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { leadDifference } from "../../ui/leadChange.ts";
import { useLeadText } from "../../ui/leadText.tsx";
import { type NextStep, NextSteps } from "../ui/nextSteps.tsx";
import type { LeadInventory } from "../ui/overlays.ts";
import { Rich } from "../ui/rich.tsx";
import { isBooking, type ViewingSlot } from "./leadFormMachine.ts";
import { TourPicker } from "./TourPicker.tsx";
import { WaitlistEntry } from "./WaitlistEntry.tsx";

interface LeadConfirmationPageProps {
  variant: LeadVariant;
  inventory: LeadInventory | null;
  lead: Lead;
  /** What it was before, where its details were edited. */
  before: Lead | null;
  success: string;
  viewing: ViewingSlot | null;
  busy: boolean;
  failed: boolean;
  onRequestViewing: (slot: ViewingSlot) => void;
}

/** Page 3: the reference, what happens next, and a live video tour. */
export function LeadConfirmationPage(props: LeadConfirmationPageProps) {
  return props.before ? <Changed {...props} before={props.before} /> : <Received {...props} />;
}

function Received(props: LeadConfirmationPageProps) {
  const { inventory, lead } = props;
  // A full home needs no tour; without a property there is nothing to show.
  const waits = props.variant === "join_waitlist" || inventory?.available === false;
  // Who books goes on with the booking.
  const tours = inventory !== null && !waits && !isBooking(props.variant);
  return (
    <div className="stack" style={{ gap: 28 }}>
      <div className="stack g8" role="status">
        <p className="m">{props.success}</p>
        <p className="soft">
          <Rich
            k="lead.reference_mail"
            nodes={{ reference: <span className="ref">{lead.reference}</span>, email: lead.user_details.email }}
          />
        </p>
      </div>
      {props.variant === "join_waitlist" && inventory?.room_inventory_id ? (
        <WaitlistEntry leadUuid={lead.uuid} roomId={inventory.room_inventory_id} />
      ) : null}
      <NextSteps steps={useNextSteps(props.variant, inventory)} />
      {tours && inventory ? (
        <TourPicker
          inventory={inventory}
          requested={props.busy || props.failed ? null : props.viewing}
          busy={props.busy}
          failed={props.failed}
          onRequest={props.onRequestViewing}
        />
      ) : null}
    </div>
  );
}

/** An edit: field by field what is new, and what stood there before. */
function Changed({ success, lead, before }: LeadConfirmationPageProps & { before: Lead }) {
  const { t } = useI18n();
  const text = useLeadText();
  const changes = leadDifference(before, lead).flatMap((change) => {
    const label = text.label(change.field);
    return label === null ? [] : [{ ...change, label }];
  });
  return (
    <div className="stack" style={{ gap: 28 }}>
      <div className="stack g8" role="status">
        <p className="m">{success}</p>
        <p className="soft">{t("lead.submitted_reference", { reference: lead.reference })}</p>
      </div>
      {changes.length === 0 ? (
        <p>{t("change.unchanged")}</p>
      ) : (
        <section className="stack g12" aria-labelledby="lead-changes">
          <h3 className="t-16 m" id="lead-changes">
            {t("change.changed")}
          </h3>
          <dl className="kv" data-changes>
            {changes.map(({ field, label, before: was, after }) => (
              <Fragment key={field}>
                <dt>{label}</dt>
                <dd>
                  <span className="m">{text.value(field, after)}</span>{" "}
                  <span className="t-14 muted">{t("change.was", { before: text.value(field, was) })}</span>
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

function useNextSteps(variant: LeadVariant, inventory: LeadInventory | null): NextStep[] {
  const { t } = useI18n();
  const format = useFormat();
  const within = (text: string): NextStep => ({ icon: "headset", title: t("lead.next_answer_title"), text });
  const look: NextStep = { icon: "search", title: t("lead.next_look_title"), text: t("lead.next_look") };
  if (!inventory) return [within(t("lead.next_answer_plain"))];
  if (!inventory.available || variant === "join_waitlist") {
    return [{ icon: "door", title: t("lead.next_wait_title"), text: t("lead.next_wait") }, look];
  }
  const deposit = inventory.deposit;
  const pay = deposit
    ? t("lead.next_pay", { amount: format.money(deposit.amount_minor, deposit) })
    : t("lead.next_pay_plain");
  const paying: NextStep[] = inventory.bookable ? [{ icon: "key", title: t("lead.next_pay_title"), text: pay }] : [];
  if (isBooking(variant)) {
    return [{ icon: "door", title: t("lead.next_details_title"), text: t("lead.next_details") }, ...paying];
  }
  switch (variant) {
    case "ask_question_faq_cta":
      return [within(t("lead.next_question")), ...paying];
    case "virtual_tour_enquiry":
      return [{ icon: "headset", title: t("lead.next_tour_title"), text: t("lead.next_tour") }, ...paying];
    default:
      return [within(t("lead.next_answer", { name: inventory.name })), ...paying];
  }
}
