/** Acts on a lead in the order of the menu, each with its key there. */
import type { LeadActKind, LeadCloseCause } from "../../contract/wire.ts";

/** An act of the menu. Writing to the student and payment links have dialogs of their own. */
export type MenuAct = LeadActKind | "write" | "payment_link";

export const ACTS: readonly (readonly [MenuAct, string])[] = [
  ["note", "n"],
  ["assign", "a"],
  ["write", "r"],
  ["record_call", "e"],
  ["close", "c"],
  ["reopen", "o"],
  ["change_stay", "d"],
  ["change_room", "z"],
  ["correct_contact", "k"],
  ["undo_contact", "b"],
  ["extend_hold", "h"],
  ["payment_link", "p"],
  ["send_enquiry", "s"],
  ["send_code", "l"],
  ["ask_refund", "f"],
  ["ask_cancellation", "x"],
  ["mark_double", "m"],
  ["unmark_double", "u"],
  ["set_team", "t"],
];

/** The key of the way to where a student's code is typed, in the same menu. */
export const MIRROR_KEY = "v";

export const CAUSES: readonly LeadCloseCause[] = [
  "booked_elsewhere",
  "no_answer",
  "no_room",
  "price_too_high",
  "plans_changed",
  "not_genuine",
  "other",
];

/** Whether the act can be sent without words. */
export function isWordless(act: MenuAct, cause: LeadCloseCause | null): boolean {
  if (act === "close") return cause !== "other";
  return act === "reopen" || act === "unmark_double" || act === "set_team" || act === "assign" || act === "record_call";
}
