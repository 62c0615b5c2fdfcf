import type { ActivityLead } from "../../contract/wire.ts";
import { formsOf } from "../../i18n/forms.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { useOwnTime } from "../../ownTime.ts";
import * as paths from "../../paths.ts";
import { Icon } from "../../ui/icon.tsx";
import { useLeadText } from "../../ui/leadText.tsx";
import { Link } from "../Link.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { PriceLockNote } from "../ui/priceLock.tsx";
import { usePriceText } from "../ui/priceText.ts";
import { BookingLinks } from "./BookingLinks.tsx";
import { EditDetails } from "./EditDetails.tsx";
import { badgeOf, isEditable, nextTextOf } from "./leadState.ts";

/** One enquiry or booking: what, how far, and the one next action with its deadline; only to read without `onChanged`. */
export function BookingCard({ lead, onChanged = null }: { lead: ActivityLead; onChanged?: (() => void) | null }) {
  const { t } = useI18n();
  const price = usePriceText();
  const badge = badgeOf(lead);
  const room = lead.room ? t("profile.room_line", { room: lead.room.name, price: price(lead.room.price) }) : null;
  return (
    <article className="bcard" data-lead={lead.reference}>
      <div className="bhead">
        <span className="pic">
          {lead.property.image ? <img src={lead.property.image} alt="" loading="lazy" /> : null}
        </span>
        <div>
          <h2>
            <Link href={paths.property(lead.property.canonical_name)}>{lead.property.name}</Link>
          </h2>
          <p className="t-14 soft">
            {room} <span className="ref">{t("profile.reference", { reference: lead.reference })}</span>
          </p>
          <WhenLine lead={lead} />
          <PriceLockNote lock={lead.price_lock} />
        </div>
        <span className={`badge badge-${badge.tone}`}>{t(badge.text)}</span>
      </div>
      <Timeline lead={lead} />
      {onChanged ? <BookingLinks lead={lead} /> : null}
      {onChanged ? <NextAction lead={lead} onChanged={onChanged} /> : null}
    </article>
  );
}

function WhenLine({ lead }: { lead: ActivityLead }) {
  const { t } = useI18n();
  const own = useOwnTime();
  const says = useLeadText();
  const text = lead.move_in_date
    ? `${t("profile.step_move_in")} ${says.value("data/move_in_date", lead.move_in_date)}`
    : t("profile.since", { date: own.day(lead.created_at) });
  return <p className="t-14 muted num">{text}</p>;
}

const NAMES: Record<ActivityLead["steps"][number]["key"], { open: MessageKey; done: MessageKey }> = {
  enquired: { open: "profile.step_enquired", done: "profile.step_enquired" },
  form: { open: "profile.step_form", done: "profile.step_form_done" },
  payment: { open: "profile.step_payment", done: "profile.step_payment_done" },
  booked: { open: "profile.step_booked", done: "profile.step_booked_done" },
  move_in: { open: "profile.step_move_in", done: "profile.step_move_in" },
};

/** Done steps with a tick, the current one with a ring, later ones outlined; words say the same. */
function Timeline({ lead }: { lead: ActivityLead }) {
  const { t } = useI18n();
  return (
    <ol className="tl">
      {lead.steps.map((step) => (
        <li
          key={step.key}
          className={step.state === "later" ? "" : step.state}
          aria-current={step.state === "now" ? "step" : undefined}
        >
          <span className="k">{step.state === "done" ? <Icon name="check" /> : null}</span>
          <b>{t(step.state === "done" ? NAMES[step.key].done : NAMES[step.key].open)}</b>
          <StepTime lead={lead} step={step} />
        </li>
      ))}
    </ol>
  );
}

function StepTime({ lead, step }: { lead: ActivityLead; step: ActivityLead["steps"][number] }) {
  const own = useOwnTime();
  const { lang } = useI18n();
  const says = useLeadText();
  const move = step.key === "move_in" ? lead.move_in_date : null;
  const text = move
    ? says.value("data/move_in_date", move)
    : step.at
      ? own.day(step.at, "short") + formsOf(lang).date_time + own.time(step.at)
      : "";
  return <span className="w num">{text}</span>;
}

function NextAction({ lead, onChanged }: { lead: ActivityLead; onChanged: () => void }) {
  const { t } = useI18n();
  const own = useOwnTime();
  const { next_action: action, payment } = lead;
  const texts = nextTextOf(lead);
  const paid = payment?.status === "success";
  return (
    <div className="bnext">
      <div className="grow">
        <p className="m">{t(texts.title)}</p>
        <p className="t-14 soft">
          {action?.deadline ? t("profile.deadline", { moment: own.moment(action.deadline) }) : t(texts.text)}
        </p>
      </div>
      {isEditable(lead.state) ? <EditDetails lead={lead} onChanged={onChanged} /> : null}
      {payment && paid ? (
        <ButtonLink look={action ? "plain" : "quiet"} href={paths.paymentReceipt(payment.token)}>
          {t("profile.receipt")}
        </ButtonLink>
      ) : null}
      {payment?.status === "pending" ? (
        <ButtonLink look="quiet" href={paths.paymentToken(payment.token)}>
          {t("profile.see_payment")}
        </ButtonLink>
      ) : action && action.key !== "view_bookings" ? (
        <ButtonLink look="primary" href={action.href}>
          {t(`profile.action_${action.key}`)}
        </ButtonLink>
      ) : null}
    </div>
  );
}
