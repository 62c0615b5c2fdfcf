/** The audit list's part of the address. */
import type { AuditRow } from "../../contract/wire.ts";
import { momentOf } from "./moment.ts";

export const KINDS = [
  "opened",
  "intent_ready",
  "confirmed",
  "captured",
  "declined",
  "pending",
  "sold_out",
  "refund_requested",
  "refund_sent",
  "refund_acknowledged",
  "refund_failed",
  "cancelled",
  "dispute_opened",
  "dispute_won",
  "dispute_lost",
  "room_given_back",
] as const satisfies readonly AuditRow["kind"][];

export interface AuditFilters {
  q: string | null;
  kind: string | null;
  currency: string | null;
  /** Days, both included. */
  from: string | null;
  to: string | null;
  /** The books as they stood: the first instant that no longer counts. */
  asof: string | null;
  p: number | null;
  [name: string]: string | number | null;
}

/** What lies over the list. */
export type Panel =
  | { panel: "none" }
  | { panel: "ledger"; paymentId: string }
  | { panel: "refund"; paymentId: string }
  | { panel: "chain" };

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether it is a day of the calendar: 30 February has the looks of one. */
function isDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return DAY.test(text) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** Reads the filters; anything unreadable counts as absent. */
export function auditFilters(params: URLSearchParams): AuditFilters {
  const day = (name: string) => (isDay(params.get(name) ?? "") ? params.get(name) : null);
  const kind = KINDS.find((one) => one === params.get("kind")) ?? null;
  const currency = params.get("currency") ?? "";
  const p = Number(params.get("p"));
  return {
    q: params.get("q")?.trim() || null,
    kind,
    currency: /^[A-Z]{3}$/.test(currency) ? currency : null,
    from: day("from"),
    to: day("to"),
    asof: momentOf(params.get("asof")),
    p: Number.isInteger(p) && p > 1 ? p : null,
  };
}

export function panelOf(params: URLSearchParams): Panel {
  const paymentId = params.get("payment");
  if (paymentId) return { panel: params.get("refund") ? "refund" : "ledger", paymentId };
  return { panel: params.get("chain") ? "chain" : "none" };
}

/** Filters that narrow the list, apart from its page. */
export function isNarrowed({ q, kind, currency, from, to }: AuditFilters): boolean {
  return [q, kind, currency, from, to].some((filter) => filter !== null);
}

/** What the server is asked: a moment of the books ends the period, unless the period ends before. */
export function asked({ asof, to, ...rest }: AuditFilters): Record<string, string | number | null> {
  const endsBefore = asof !== null && to !== null && to < asof.slice(0, 10);
  return { ...rest, to: asof === null || endsBefore ? to : asof };
}
