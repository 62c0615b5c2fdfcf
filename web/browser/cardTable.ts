/** The test cards of X7 that a bank or the gateway turns down, with the code whose sentence (D102) the payer reads. */
export const declines = [
  ["4000000000000002", "generic_decline"],
  ["4000000000009995", "insufficient_funds"],
  ["4000000000000069", "expired_card"],
  ["4242424242424241", "incorrect_number"],
  ["4000000000010001", "do_not_honor"],
  ["4000000000010019", "transaction_not_allowed"],
  ["4000000000010027", "live_mode_test_card"],
  ["4000000000010035", "testmode_decline"],
] as const;

export const settles = "4000000000010043";
export const fails = "4000000000010050";
export const disputes = "4000000000000259";
