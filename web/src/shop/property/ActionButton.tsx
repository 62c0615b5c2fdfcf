import type { LeadVariant, PropertyPage, UserHistory } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { useSession } from "../session.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { enquiryVariant } from "../ui/cameBy.ts";
import { openLead } from "../ui/overlays.ts";
import { callToAction, type UserAction } from "./callToAction.ts";
import type { Choice } from "./choice.ts";
import { leadSubject } from "./subject.ts";

/** Spec §2: the labels of the calls to action. */
export const actionTexts: Record<UserAction, MessageKey> = {
  book: "property.book",
  apply_now: "property.apply_now",
  continue_to_book: "property.continue_to_book",
  continue_to_apply: "property.continue_to_apply",
  continue_to_pay: "property.continue_to_pay",
  view_bookings: "property.view_bookings",
  enquire_now: "property.enquire_now",
  enquired: "property.enquired",
  join_waitlist: "property.join_waitlist",
  waitlisted: "property.waitlisted",
  contact_us: "property.contact_us",
  contacted: "property.contacted",
  see_others: "property.see_others",
};

interface ActionButtonProps {
  property: PropertyPage;
  choice: Choice;
  history: UserHistory | null;
  size?: "normal" | "large";
  block?: boolean;
}

/** The one main button of a home: its words and its way depend on the home, the dates and what was done before. */
export function ActionButton({ property, choice, history, size = "large", block = false }: ActionButtonProps) {
  const { t } = useI18n();
  const action = callToAction(property, choice, history);
  const label = t(actionTexts[action]);
  const isKnown = useSession().state === "user";
  const href = (isKnown ? beginHref(action, property, choice) : null) ?? hrefOf(action, property, choice, history);
  if (href) {
    return (
      <ButtonLink href={href} look="primary" size={size} block={block}>
        {label}
      </ButtonLink>
    );
  }
  const done = action === "enquired" || action === "waitlisted" || action === "contacted";
  return (
    <Button
      look={done ? "tint" : "primary"}
      size={size}
      block={block}
      onClick={() => openLead(leadSubject(property, choice), variantOf(action))}
    >
      {label}
    </Button>
  );
}

/** A person who is logged in has told who they are: Book leads to the form at once, and the form sends the enquiry. */
function beginHref(action: UserAction, property: PropertyPage, { option }: Choice): string | null {
  if (!option || (action !== "book" && action !== "apply_now")) return null;
  const query = {
    inventory_id: option.inventory_id,
    move_in_date: option.move_in_date,
    lease_duration: String(option.lease_duration),
  };
  const to = action === "book" ? paths.bookingForm : paths.application;
  return to(property.canonical_name, query);
}

function hrefOf(
  action: UserAction,
  property: PropertyPage,
  choice: Choice,
  history: UserHistory | null,
): string | null {
  const query = { inventory_id: choice.option?.inventory_id, lead_uuid: history?.lead_uuid };
  switch (action) {
    case "continue_to_book":
      return paths.bookingForm(property.canonical_name, query);
    case "continue_to_apply":
      return paths.application(property.canonical_name, query);
    case "continue_to_pay":
      return history?.payment_token
        ? paths.paymentToken(history.payment_token)
        : paths.payment(property.canonical_name, query);
    case "view_bookings":
      return paths.bookings();
    case "see_others":
      return paths.search(property.region.canonical_name, { available: "true" });
    case "book":
    case "apply_now":
    case "enquire_now":
    case "enquired":
    case "join_waitlist":
    case "waitlisted":
    case "contact_us":
    case "contacted":
      return null;
  }
}

function variantOf(action: UserAction): LeadVariant {
  switch (action) {
    case "book":
    case "continue_to_book":
    case "continue_to_pay":
    case "view_bookings":
      return "book_now";
    case "apply_now":
    case "continue_to_apply":
      return "apply_now";
    case "enquire_now":
    case "enquired":
      return enquiryVariant(location.search);
    case "join_waitlist":
    case "waitlisted":
      return "join_waitlist";
    case "contact_us":
    case "contacted":
    case "see_others":
      return "contact_us";
  }
}
