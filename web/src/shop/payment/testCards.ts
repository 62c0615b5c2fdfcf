import type { MessageKey } from "../../i18n/keys.ts";

/** A card of the sandbox (X7) and what it does. */
export interface TestCard {
  number: string;
  says: MessageKey;
}

/** Stripe's published numbers first, then our own for what Stripe has none. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: "4242424242424242", says: "payment.card_pays" },
  { number: "4000002500003155", says: "payment.card_challenge" },
  { number: "4000000000000002", says: "payment.card_generic_decline" },
  { number: "4000000000009995", says: "payment.card_insufficient_funds" },
  { number: "4000000000000069", says: "payment.card_expired_card" },
  { number: "4242424242424241", says: "payment.card_incorrect_number" },
  { number: "4000000000010001", says: "payment.card_do_not_honor" },
  { number: "4000000000010019", says: "payment.card_transaction_not_allowed" },
  { number: "4000000000010027", says: "payment.card_live_mode_test_card" },
  { number: "4000000000010035", says: "payment.card_testmode_decline" },
  { number: "4000000000010043", says: "payment.card_settles_later" },
  { number: "4000000000010050", says: "payment.card_fails_later" },
  { number: "4000000000000259", says: "payment.card_disputes" },
];

/** The sandbox's delayed method, which stands for a bank transfer. */
export const BANK_TRANSFER = "4000000000010043";
