import { expect, test } from "vitest";
import type { PaymentDossier } from "../../contract/wire.ts";
import { isTyped, planRefund } from "./refundPlan.ts";

const paid: PaymentDossier = {
  payment_id: "p1",
  reference: "P-9F0D",
  status: "success",
  lead_id: "l1",
  lead_reference: "L-48260",
  name_masked: "I••• R•••",
  property: "Meadow Gate, Edinburgh",
  opened_at: "2026-11-14T10:00:00Z",
  currency: "GBP",
  decimals: 2,
  captured_minor: 25_907,
  refunded_minor: 5_000,
  refund_pending_minor: 907,
  disputed_minor: 0,
  dispute: null,
  refundable_minor: 20_000,
  alone_minor: 100_000,
  processing_fee_minor: 907,
  typed_above_minor: 15_000,
  receipts: [],
  links: [],
  failed_refunds: [],
  choices: [],
  can_cancel_booking: false,
  events: [],
  ledger: [],
  balance_minor: 0,
};

test("all of it means what is left, not what was captured", () => {
  expect(planRefund(paid, { how: "all" })).toEqual({
    ready: true,
    amount_minor: 20_000,
    refundedAfter: 25_907,
    leftAfter: 0,
    whole: true,
    asks: false,
    typed: true,
  });
});

test("a part leaves the rest refundable", () => {
  expect(planRefund(paid, { how: "part", typed: "50" })).toMatchObject({
    amount_minor: 5_000,
    leftAfter: 15_000,
  });
});

// `2,50` was once read as 250.00 and sent.
test("a comma is a decimal sign where it can be nothing else", () => {
  expect(planRefund(paid, { how: "part", typed: "2,50" })).toMatchObject({ amount_minor: 250 });
  expect(planRefund(paid, { how: "part", typed: "1,250" })).toEqual({ ready: false, because: "no_amount" });
});

test("a large amount is typed as shown, or written in another way", () => {
  const dinars = { ...paid, currency: "KWD", decimals: 3, refundable_minor: 20_345 };
  const plan = planRefund(dinars, { how: "all" });
  expect(["20.345", "20.3450", "20,345", "20345"].map((typed) => isTyped(dinars, plan, typed))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("more than is left, or no amount at all, is not sent", () => {
  expect(planRefund(paid, { how: "part", typed: "200.01" })).toEqual({ ready: false, because: "too_much" });
  expect(planRefund(paid, { how: "part", typed: "" })).toEqual({ ready: false, because: "no_amount" });
  expect(planRefund({ ...paid, refundable_minor: 0 }, { how: "all" })).toEqual({
    ready: false,
    because: "nothing_left",
  });
});

test("above a person's limit a second person is asked", () => {
  const asks = (alone_minor: number | null) => planRefund({ ...paid, alone_minor }, { how: "all" });
  expect(asks(19_999)).toMatchObject({ ready: true, asks: true });
  expect(asks(20_000)).toMatchObject({ ready: true, asks: false });
  expect(asks(0)).toMatchObject({ ready: true, asks: true });
  expect(asks(null)).toMatchObject({ ready: true, asks: false });
});

test("nothing is asked for before an amount is chosen", () => {
  expect(planRefund(paid, { how: "open" })).toEqual({ ready: false, because: "no_amount" });
});

test("a large amount is typed as it is, a small one is not typed", () => {
  const large = planRefund(paid, { how: "all" });
  expect(["", "20", "200.01", "200", "200.00"].map((typed) => isTyped(paid, large, typed))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  const small = { ...paid, typed_above_minor: 20_000 };
  expect(isTyped(small, planRefund(small, { how: "all" }), "")).toBe(true);
});
