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
