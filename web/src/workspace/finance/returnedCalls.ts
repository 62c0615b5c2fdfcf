/** What the finance pages ask the server about refunds that came back from the bank. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { FailedRefund, PaymentDossier } from "../../contract/wire.ts";

const BASE = "/api/v0/workspace/payments";

/** Refunds that wait to be sent again or paid in another way, newest first. */
export const failedRefundsQuery = queryOptions({
  queryKey: ["failed_refunds"],
  queryFn: ({ signal }) => get<FailedRefund[]>(`${BASE}/failed_refunds`, { signal }),
  refetchInterval: 30_000,
});

/** Notes that the house has paid one of them in another way; the same `intent` sent twice notes it once. */
export function payElsewhere(refund: FailedRefund, reason: string, intent: string): Promise<PaymentDossier> {
  const path = `${BASE}/${encodeURIComponent(refund.payment_id)}/refunds/${encodeURIComponent(refund.refund_id)}`;
  return post<PaymentDossier>(`${path}/paid_elsewhere`, { reason }, { idempotencyKey: intent });
}
