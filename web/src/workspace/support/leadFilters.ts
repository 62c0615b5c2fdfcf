/** The leads list's part of the address. */
import { pageAsked, wordsAsked } from "../asked.ts";

/** Statuses in the order of a lead's way (D81). */
export const STATUSES = [
  "created",
  "enquired",
  "waitlisted",
  "viewing_requested",
  "form_started",
  "form_completed",
  "payment_started",
  "booked",
  "completed",
  "cancelled",
  "lost",
] as const;

/** Reasons to look at a lead, the most urgent first. */
export const REASONS = ["hold_ending", "disputed", "unanswered", "declined", "pending", "referral_held"] as const;

export type LeadFilters = {
  q: string | null;
  status: string | null;
  attention: string | null;
  /** `me`: a note mentions the reader. */
  mentions: "me" | null;
  /** Page, absent on the first. */
  p: number | null;
};

/** Reads the filters; anything unreadable counts as absent. */
export function leadFilters(search: Partial<Record<keyof LeadFilters, unknown>>): LeadFilters {
  return {
    q: wordsAsked(search.q),
    status: wordsAsked(search.status),
    attention: wordsAsked(search.attention),
    mentions: search.mentions === "me" ? "me" : null,
    p: pageAsked(search.p),
  };
}
