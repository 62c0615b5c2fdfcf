/** Names of filters and their values. */
import type { LeadAttention, LeadStage } from "../../contract/wire.ts";
import type { LeadFilters } from "./leadFilters.ts";

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
export const REASONS = [
  "hold_ending",
  "disputed",
  "late",
  "unanswered",
  "declined",
  "pending",
  "referral_held",
] as const satisfies readonly LeadAttention[];

/** Stages of the desk's work. */
export const STAGES = ["open", "waits_for_student", "declined_today"] as const satisfies readonly LeadStage[];

/** Filters that have a field of their own beside the box. */
export const FIELDS = [
  "city",
  "property",
  "partner",
  "source",
  "created_from",
  "created_to",
  "move_in_from",
  "move_in_to",
] as const;

/** Every filter, by its name in addresses. */
export const FILTERS = ["q", "status", "attention", "stage", "steps", "owner", "mentions", "team", ...FIELDS] as const;

export type FilterName = (typeof FILTERS)[number];

/** What the server is asked: the filters and the page, without the name of a view. */
export function listQuery({ view: _, ...filters }: LeadFilters): Omit<LeadFilters, "view"> {
  return filters;
}

/** Whether nothing narrows the list. */
export function isWhole(filters: LeadFilters): boolean {
  return FILTERS.every((name) => filters[name] === null);
}
