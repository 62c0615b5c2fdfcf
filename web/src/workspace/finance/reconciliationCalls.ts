/** What the reconciliation asks the server. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { Reconciliation } from "../../contract/wire.ts";

const BASE = "/api/v0/workspace/reconciliation";

/** The provider's account against the books, as both stand. */
export const reconciliationQuery = queryOptions({
  queryKey: ["reconciliation"],
  queryFn: ({ signal }) => get<Reconciliation>(BASE, { signal }),
  refetchInterval: 30_000,
});

/** Reads what is new at the provider, and compares. */
export function runReconciliation(): Promise<unknown> {
  return post<unknown>(`${BASE}/run`, {});
}

/** Takes in every event that the provider still lists. */
export function pullEvents(): Promise<unknown> {
  return post<unknown>(`${BASE}/pull`, {});
}

/** Proposes the posting that mends an exception. */
export function proposeMending(item: string, reason: string): Promise<unknown> {
  return post<unknown>(`${BASE}/proposals`, { item, reason });
}
