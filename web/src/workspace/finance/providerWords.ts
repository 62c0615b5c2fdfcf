/** The provider's words for movements and payouts, in the reader's language. */
import { useI18n } from "../../i18n/i18n.tsx";

/** The types of balance transactions that an account of its own can have, in Stripe's words. */
const MOVEMENTS = [
  "charge",
  "payment",
  "refund",
  "payment_refund",
  "refund_failure",
  "payment_failure_refund",
  "payment_reversal",
  "payment_unreconciled",
  "adjustment",
  "payout",
  "payout_cancel",
  "payout_failure",
  "payout_minimum_balance_hold",
  "payout_minimum_balance_release",
  "stripe_fee",
  "stripe_fx_fee",
  "tax_fee",
  "application_fee",
  "application_fee_refund",
  "topup",
  "topup_reversal",
  "transfer",
  "transfer_cancel",
  "transfer_failure",
  "transfer_refund",
  "reserve_transaction",
  "reserved_funds",
  "reserve_hold",
  "reserve_release",
  "contribution",
] as const;

/** What only our books know: named as the audit names it. */
const OURS = ["captured", "refund_acknowledged"] as const;

const PAYOUT_STATES = ["pending", "in_transit", "paid", "failed", "canceled"] as const;

/** The notices that a webhook endpoint is set up for. */
const NOTICES = {
  "payment_intent.succeeded": "payment_succeeded",
  "payment_intent.payment_failed": "payment_failed",
  "payment_intent.processing": "payment_processing",
  "payment_intent.requires_action": "payment_asks",
  "payment_intent.canceled": "payment_cancelled",
  "refund.created": "refund",
  "refund.updated": "refund",
  "refund.failed": "refund_failed",
  "charge.refunded": "refund",
  "charge.refund.updated": "refund",
  "charge.dispute.created": "dispute",
  "charge.dispute.updated": "dispute",
  "charge.dispute.funds_withdrawn": "dispute",
  "charge.dispute.funds_reinstated": "dispute",
  "charge.dispute.closed": "dispute_closed",
} as const;

function isNotice(word: string): word is keyof typeof NOTICES {
  return Object.hasOwn(NOTICES, word);
}

function among<Word extends string>(words: readonly Word[], word: string): Word | undefined {
  return words.find((known) => known === word);
}

/** A word that the provider adds later is shown as it is, named as its own. */
export function useProviderWords() {
  const { t } = useI18n();
  return {
    movement: (word: string): string => {
      const ours = among(OURS, word);
      return ours === undefined
        ? t(`provider.movement_${among(MOVEMENTS, word) ?? "other"}`, { word })
        : t(`finance.kind_${ours}`);
    },
    notice: (word: string): string => t(`provider.notice_${isNotice(word) ? NOTICES[word] : "other"}`, { word }),
    payoutState: (word: string): string =>
      t(`provider.payout_state_${among(PAYOUT_STATES, word) ?? "other"}`, { word }),
  };
}
