import type { NextActionKey, PropertyPage, UserHistory } from "../../contract/wire.ts";
import type { Choice } from "./choice.ts";

/** What a property page offers; documents are asked for by the profile alone. */
export type UserAction = Exclude<NextActionKey, "add_documents"> | "see_others";

type Offered = Pick<PropertyPage, "available" | "bookable" | "flow" | "state">;

/**
 * What this visitor can do next (Spec §2, D27). A booking that is paid outlives everything; a begun one outlives a
 * change of dates, but not the last room. A home that is let no longer has nothing to wait for: the way leads to others.
 */
export function callToAction(property: Offered, choice: Choice, history: UserHistory | null): UserAction {
  if (history?.payment_completed) return "view_bookings";
  if (property.state === "closed") return "see_others";
  if (!property.available) return history?.waitlisted ? "waitlisted" : "join_waitlist";
  if (!property.bookable) return history?.enquired ? "enquired" : "enquire_now";
  if (history?.book_form_completed) return "continue_to_pay";
  if (history?.book_form_initiated) return property.flow === "apply" ? "continue_to_apply" : "continue_to_book";
  if (choice.otherDates) return history?.contacted ? "contacted" : "contact_us";
  if (choice.option?.booking_over) return history?.contacted ? "contacted" : "contact_us";
  if (choice.option?.nothing_due && choice.option.rooms_left !== 0) {
    return history?.enquired ? "enquired" : "enquire_now";
  }
  if (choice.option && choice.option.rooms_left === 0) return history?.waitlisted ? "waitlisted" : "join_waitlist";
  return property.flow === "apply" ? "apply_now" : "book";
}
