import type { Payment } from "../../contract/wire.ts";
import { serverNow } from "../../serverClock.ts";

/** A payer who has the card form open may still finish after the end: only what was not begun expires. */
const unpaid: ReadonlySet<Payment["status"]> = new Set(["init", "init_failure", "failed"]);

/** Whether nothing can be paid with it any more, before anything was: taken back, or past its end. */
export function isOver(payment: Payment): boolean {
  if (payment.cancelled_at !== null) return unpaid.has(payment.status) || payment.status === "initiated";
  if (!unpaid.has(payment.status)) return false;
  return payment.link?.is_expired === true || Date.parse(payment.expires_at) <= serverNow();
}
