/** How urgent a reply is, from the moment it is due. */
import type { LeadRow } from "../../contract/wire.ts";

export type Urgency = "answered" | "late" | "soon" | "due" | "none";

export interface Sla {
  urgency: Urgency;
  /** Distance from now to the moment it is due, always positive. */
  milliseconds: number;
}

const SOON_MS = 15 * 60_000;

export function slaOf(lead: Pick<LeadRow, "answered" | "answer_due_at">, now: number): Sla {
  if (lead.answered) return { urgency: "answered", milliseconds: 0 };
  if (lead.answer_due_at === null) return { urgency: "none", milliseconds: 0 };
  const left = Date.parse(lead.answer_due_at) - now;
  if (Number.isNaN(left)) return { urgency: "none", milliseconds: 0 };
  if (left < 0) return { urgency: "late", milliseconds: -left };
  return { urgency: left < SOON_MS ? "soon" : "due", milliseconds: left };
}
