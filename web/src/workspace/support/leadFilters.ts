/** The leads list's part of the address. */

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

export interface LeadFilters {
  q: string | null;
  status: string | null;
  attention: string | null;
  /** Page, absent on the first. */
  p: number | null;
  [name: string]: string | number | null;
}

/** Reads the filters; anything unreadable counts as absent. */
export function leadFilters(params: URLSearchParams): LeadFilters {
  const p = Number(params.get("p"));
  return {
    q: params.get("q")?.trim() || null,
    status: params.get("status") || null,
    attention: params.get("attention") || null,
    p: Number.isInteger(p) && p > 1 ? p : null,
  };
}
