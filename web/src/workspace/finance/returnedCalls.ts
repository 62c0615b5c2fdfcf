/** What the finance pages ask the server about refunds that came back from the bank. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { FailedRefund, PaymentDossier } from "../../contract/wire.ts";

/** Refunds that wait to be sent again or paid in another way, newest first. */
export const failedRefundsQuery = queryOptions({
  queryKey: ["failed_refunds"],
  queryFn: ({ signal }) => get("/api/v0/workspace/payments/failed_refunds", { signal }),
  refetchInterval: 30_000,
});

/** Notes that the house has paid one of them in another way; the same `intent` sent twice notes it once. */
export function payElsewhere(refund: FailedRefund, reason: string, intent: string): Promise<PaymentDossier> {
  return post("/api/v0/workspace/payments/{id}/refunds/{refund_id}/paid_elsewhere", {
    path: { id: refund.payment_id, refund_id: refund.refund_id },
    body: { reason },
    idempotencyKey: intent,
  });
}
