import type { Payment } from "../../contract/wire.ts";
import { serverNow } from "../../serverClock.ts";

/** A payer who has the card form open may still finish after the end: only what was not begun is over. */
const unpaid: ReadonlySet<Payment["status"]> = new Set(["init", "init_failure", "failed"]);

/** Whether nothing can be paid with a link any more, before anything was. */
export function isLinkOver(payment: Payment): boolean {
  if (payment.link === null || !unpaid.has(payment.status)) return false;
  return payment.cancelled_at !== null || payment.link.is_expired || Date.parse(payment.expires_at) <= serverNow();
}
