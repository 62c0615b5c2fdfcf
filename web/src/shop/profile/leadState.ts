import type { ActivityLead } from "../../contract/wire.ts";
import type { MessageKey } from "../../i18n/keys.ts";

/** A word for where a lead stands, with its colour. */
export interface StateBadge {
  text: MessageKey;
  tone: "success" | "warning" | "info" | "line";
}

/** D81 states in a student's words; a bank that still confirms is said before all else. */
export function badgeOf(lead: Pick<ActivityLead, "state" | "payment">): StateBadge {
  if (lead.payment?.status === "pending") return { text: "profile.state_bank", tone: "info" };
  switch (lead.state) {
    case "booked":
      return { text: "profile.state_booked", tone: "success" };
    case "completed":
      return { text: "profile.state_completed", tone: "success" };
    case "form_started":
    case "form_completed":
    case "payment_started":
      return { text: "profile.state_waiting", tone: "warning" };
    case "waitlisted":
      return { text: "profile.state_waitlisted", tone: "info" };
    case "viewing_requested":
      return { text: "profile.state_viewing", tone: "info" };
    case "cancelled":
      return { text: "profile.state_cancelled", tone: "line" };
    case "lost":
      return { text: "profile.state_lost", tone: "line" };
    default:
      return { text: "profile.state_enquired", tone: "info" };
  }
}

/** Whether its sender can still change it: what was sold, ended or given up stays as it was. */
export function isEditable(state: ActivityLead["state"]): boolean {
  switch (state) {
    case "created":
    case "enquired":
    case "waitlisted":
    case "viewing_requested":
    case "form_started":
    case "form_completed":
    case "payment_started":
      return true;
    case "booked":
    case "completed":
    case "cancelled":
    case "lost":
      return false;
  }
}

/** What stands beside the action: the action itself in words, or that nothing is to be done. */
export function nextTextOf(lead: Pick<ActivityLead, "state" | "payment" | "next_action">): {
  title: MessageKey;
  text: MessageKey;
} {
  if (lead.payment?.status === "pending") return { title: "profile.next_none", text: "profile.next_pending" };
  switch (lead.next_action?.key) {
    case "continue_to_book":
    case "continue_to_apply":
    case "book":
    case "apply_now":
      return { title: `profile.action_${lead.next_action.key}`, text: "profile.next_book" };
    case "continue_to_pay":
      return { title: "profile.action_continue_to_pay", text: "profile.next_pay" };
    case "add_documents":
      return { title: "profile.action_add_documents", text: "profile.next_documents" };
    default:
      break;
  }
  if (lead.state === "booked") return { title: "profile.next_none", text: "profile.next_booked" };
  if (lead.state === "cancelled") return { title: "profile.next_none", text: "profile.next_cancelled" };
  if (lead.state === "lost") return { title: "profile.next_none", text: "profile.next_lost" };
  if (lead.state === "waitlisted") return { title: "profile.next_none", text: "profile.next_waitlisted" };
  return { title: "profile.next_none", text: "profile.next_enquired" };
}
