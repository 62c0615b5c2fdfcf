import type { Lead, LeadVariant } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { LeadInventory } from "../ui/overlays.ts";
import { Rich } from "../ui/rich.tsx";
import type { ViewingSlot } from "./leadFormMachine.ts";
import { TourPicker } from "./TourPicker.tsx";

interface LeadConfirmationPageProps {
  variant: LeadVariant;
  inventory: LeadInventory | null;
  lead: Lead;
  success: string;
  viewing: ViewingSlot | null;
  busy: boolean;
  failed: boolean;
  onRequestViewing: (slot: ViewingSlot) => void;
}

/** Page 3: the reference, what happens next, and a live video tour. */
export function LeadConfirmationPage(props: LeadConfirmationPageProps) {
  const { inventory, lead } = props;
  // A full home and a changed detail need no tour; without a property there is nothing to show.
  const waits = props.variant === "join_waitlist" || inventory?.available === false;
  const tours = inventory !== null && !waits && props.variant !== "edit_details";
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
      <NextSteps variant={props.variant} inventory={inventory} />
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

interface Step {
  icon: IconName;
  title: string;
  text: string;
}

function NextSteps({ variant, inventory }: { variant: LeadVariant; inventory: LeadInventory | null }) {
  const steps = useNextSteps(variant, inventory);
  return (
    <ol className="next">
      {steps.map(({ icon, title, text }) => (
        <li key={title}>
          <span className="ico">
            <Icon name={icon} size={16} />
          </span>
          <div>
            <p className="m">{title}</p>
            <p className="t-14 soft">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function useNextSteps(variant: LeadVariant, inventory: LeadInventory | null): Step[] {
  const { t } = useI18n();
  const format = useFormat();
  const answer: Step = { icon: "headset", title: t("lead.next_answer_title"), text: t("lead.next_answer") };
  const look: Step = { icon: "search", title: t("lead.next_look_title"), text: t("lead.next_look") };
  if (!inventory) return [answer];
  if (!inventory.available || variant === "join_waitlist") {
    return [{ icon: "door", title: t("lead.next_wait_title"), text: t("lead.next_wait") }, look];
  }
  const deposit = inventory.deposit;
  const pay = deposit
    ? t("lead.next_pay", { amount: format.money(deposit.amount_minor, deposit) })
    : t("lead.next_pay_plain");
  return [
    answer,
    { icon: "door", title: t("lead.next_confirm_title"), text: t("lead.next_confirm", { name: inventory.name }) },
    ...(inventory.bookable ? [{ icon: "key" as const, title: t("lead.next_pay_title"), text: pay }] : []),
  ];
}
