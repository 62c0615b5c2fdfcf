/** What finance asks the server about refunds that support asked for. */
import { post } from "../../api.ts";
import type { PersonPayment } from "../../contract/wire.ts";

/** Says no to one of them, with a reason that support reads. */
export function declineRefund(askId: string, reason: string, intent: string): Promise<unknown> {
  return post("/api/v0/workspace/payments/refund_requests/{id}/decline", {
    path: { id: askId },
    body: { reason },
    idempotencyKey: intent,
  });
}

/** A person's payments by their address; asked with a reason, and recorded. */
export function findByEmail(email: string, reason: string): Promise<PersonPayment[]> {
  return post("/api/v0/workspace/payments/by_email", { body: { email, reason } });
}
