/** The audit list's part of the address. */
import { isDay } from "../../calendar.ts";
import type { AuditRow } from "../../contract/wire.ts";
import { pageAsked, wordsAsked } from "../asked.ts";
import type { PaymentEventsQuery } from "../queries.ts";

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
  "refund_paid_elsewhere",
  "cancelled",
  "dispute_opened",
  "dispute_won",
  "dispute_lost",
  "dispute_fee",
  "room_given_back",
  "booking_cancelled",
] as const satisfies readonly AuditRow["kind"][];

/** What the list is narrowed to: one kind of event, or all that tell of a dispute. */
export const KINDS_ASKED = ["disputes", ...KINDS] as const;

export type AuditFilters = {
  q: string | null;
  kind: string | null;
  /** Every step of a payment; without it the events that post into the books. A chosen kind is listed either way. */
  steps: "all" | null;
  currency: string | null;
  /** Days, both included. */
  from: string | null;
  to: string | null;
  p: number | null;
};

/** What lies over the list. */
export type Panel =
  | { panel: "none" }
  | { panel: "ledger"; paymentId: string }
  | { panel: "refund"; paymentId: string }
  | { panel: "chain" };

/** Names a row of the list: an event's own, or what the gateway charged by it. */
export const placeOf = ({ position, line }: Pick<AuditRow, "position" | "line">): string => `${position}.${line}`;

/** Reads the filters; anything unreadable counts as absent. */
export function auditFilters(search: Partial<Record<keyof AuditFilters, unknown>>): AuditFilters {
  const currency = wordsAsked(search.currency) ?? "";
  return {
    q: wordsAsked(search.q),
    kind: KINDS_ASKED.find((one) => one === search.kind) ?? null,
    steps: search.steps === "all" ? "all" : null,
    currency: /^[A-Z]{3}$/.test(currency) ? currency : null,
    from: dayAsked(search.from),
    to: dayAsked(search.to),
    p: pageAsked(search.p),
  };
}

function dayAsked(value: unknown): string | null {
  return typeof value === "string" && isDay(value) ? value : null;
}

/** What the address says of the panel; `refund` and `chain` are there or not, whatever they say. */
export type PanelSearch = {
  payment: string | null;
  refund: string | null;
  chain: string | null;
};

export function panelSearch(search: Partial<Record<keyof PanelSearch, unknown>>): PanelSearch {
  const { payment, refund, chain } = search;
  return { payment: wordsAsked(payment), refund: wordsAsked(refund), chain: wordsAsked(chain) };
}

export function panelOf({ payment, refund, chain }: PanelSearch): Panel {
  if (payment !== null) return { panel: refund === null ? "ledger" : "refund", paymentId: payment };
  return { panel: chain === null ? "none" : "chain" };
}

/** Filters that narrow the list, apart from its page. */
export function isNarrowed({ q, kind, currency, from, to }: AuditFilters): boolean {
  return [q, kind, currency, from, to].some((filter) => filter !== null);
}

/** The question to the server. */
export function asked({ steps, ...rest }: AuditFilters): PaymentEventsQuery {
  const money = steps === null && rest.kind === null ? true : null;
  return { ...rest, money };
}
