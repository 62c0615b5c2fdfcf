/** What the reconciliation asks the server. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";

/** The provider's account against the books, as both stand. */
export const reconciliationQuery = queryOptions({
  queryKey: ["reconciliation"],
  queryFn: ({ signal }) => get("/api/v0/workspace/reconciliation", { signal }),
  refetchInterval: 30_000,
});

/** Reads what is new at the provider, and compares. */
export function runReconciliation(): Promise<unknown> {
  return post("/api/v0/workspace/reconciliation/run");
}

/** Takes in every event that the provider still lists. */
export function pullEvents(): Promise<unknown> {
  return post("/api/v0/workspace/reconciliation/pull");
}

/** Proposes the posting that mends an exception. */
export function proposeMending(item: string, reason: string): Promise<unknown> {
  return post("/api/v0/workspace/reconciliation/proposals", { body: { item, reason } });
}
