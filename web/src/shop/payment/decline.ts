import type { MessageKey } from "../../i18n/keys.ts";

/** D102: the sentence for a decline; codes outside the catalogue (fraud, lost, stolen) share one that tells nothing. */
export function declineText(code: string): MessageKey {
  switch (code) {
    case "insufficient_funds":
    case "expired_card":
    case "incorrect_number":
    case "do_not_honor":
    case "generic_decline":
    case "transaction_not_allowed":
    case "live_mode_test_card":
    case "testmode_decline":
      return `payment.decline_${code}`;
    default:
      return "payment.decline_other";
  }
}

const REFUSED = "card_refused.";

/** Whether the form on screen said itself why its card was not taken: that is newer than what the server has heard. */
export const isRefusedByForm = (code: string | undefined): boolean =>
  code !== undefined && troubleText(code).kind === "error";

/** What to say of a trouble that left the payment as it was, and how: refused by the gateway's own form, or not known for sure. */
export function troubleText(code: string): { kind: "error" | "warning"; text: MessageKey } {
  if (code.startsWith(REFUSED)) return { kind: "error", text: declineText(code.slice(REFUSED.length)) };
  switch (code) {
    case "stripe_unconfirmed":
    case "stripe_incomplete":
      return { kind: "error", text: `payment.${code}` };
    case "stripe_unreachable":
      return { kind: "warning", text: "payment.stripe_unreachable" };
    default:
      return { kind: "warning", text: "payment.network" };
  }
}
