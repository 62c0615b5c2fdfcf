/** Statements of the bank that are kept, and their lines. */
import { queryOptions } from "@tanstack/react-query";
import { buildAddress, get, post } from "../../api.ts";
import type { LineReason } from "../../contract/wire.ts";

/** Reasons for which a line is no payout. */
export const LINE_REASONS = [
  "own_transfer",
  "bank_charge",
  "customer_transfer",
  "other_business",
] as const satisfies readonly LineReason[];

/** Those that are kept, newest first. */
export const statementsQuery = queryOptions({
  queryKey: ["bank_statements"],
  queryFn: ({ signal }) => get("/api/v0/workspace/reconciliation/statements", { signal }),
});

/** One with its lines, compared with the provider's account as it stands. */
export const statementQuery = (id: string) =>
  queryOptions({
    queryKey: ["bank_statement", id],
    queryFn: ({ signal }) => get("/api/v0/workspace/reconciliation/statements/{id}", { path: { id }, signal }),
  });

/** A decision by hand about a line: its payout, or what it is instead. */
export type Choice = { payout: string } | { reason: LineReason; note?: string };

/** Matches a line by hand. */
export function decideLine(id: string, place: number, choice: Choice): Promise<unknown> {
  return post("/api/v0/workspace/reconciliation/statements/{id}/lines/{place}/decision", {
    path: { id, place },
    body: { payout: null, reason: null, note: null, ...choice },
  });
}

/** Takes a decision back. */
export function reopenLine(id: string, place: number): Promise<unknown> {
  return post("/api/v0/workspace/reconciliation/statements/{id}/lines/{place}/reopen", { path: { id, place } });
}

/** Where a statement's file is downloaded. */
export function statementFileUrl(id: string): string {
  return buildAddress("/api/v0/workspace/reconciliation/statements/{id}/file", { path: { id } });
}
