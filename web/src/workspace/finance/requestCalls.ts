/** What finance asks the server about refunds that support asked for. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { RefundRequest } from "../../contract/wire.ts";

const BASE = "/api/v0/workspace";

/** Refunds that support asked for and finance has not answered. */
export const refundRequestsQuery = queryOptions({
  queryKey: ["refund_requests"],
  queryFn: ({ signal }) => get<RefundRequest[]>(`${BASE}/payments/refund_requests`, { signal }),
  refetchInterval: 30_000,
});

/** Says no to one of them, with a reason that support reads. */
export function declineRefund(askId: string, reason: string, intent: string): Promise<unknown> {
  const path = `${BASE}/payments/refund_requests/${encodeURIComponent(askId)}/decline`;
  return post<unknown>(path, { reason }, { idempotencyKey: intent });
}
