/** What finance asks the server about refunds that support asked for. */
import { post } from "../../api.ts";
import type { PersonPayment } from "../../contract/wire.ts";

const BASE = "/api/v0/workspace";

/** Says no to one of them, with a reason that support reads. */
export function declineRefund(askId: string, reason: string, intent: string): Promise<unknown> {
  const path = `${BASE}/payments/refund_requests/${encodeURIComponent(askId)}/decline`;
  return post<unknown>(path, { reason }, { idempotencyKey: intent });
}

/** A person's payments by their address; asked with a reason, and recorded. */
export function findByEmail(email: string, reason: string): Promise<PersonPayment[]> {
  return post<PersonPayment[]>(`${BASE}/payments/by_email`, { email, reason });
}
