import { expect, test } from "vitest";
import { silentTerms } from "../../testing/silentTerms.ts";
import { dueOf, processingFee } from "../ui/fee.ts";
import { wholeStay } from "./cost.ts";

test("the fee on £250 is £9.07, as the payment page will say", () => {
  expect(processingFee(25_000, "3.627")).toBe(907);
  expect(processingFee(0, "3.627")).toBe(0);
  expect(processingFee(25_000, "0")).toBe(0);
  expect(processingFee(25_000, "2.5")).toBe(625);
});

test("a stay is added up only where its unit is the price's", () => {
  const option = {
    inventory_id: "r",
    move_in_date: "2027-09-11",
    lease_duration: 44,
    lease_duration_unit: "weeks" as const,
    rooms_left: 1,
    ...silentTerms,
    price: { amount_minor: 28_900, currency: "GBP", symbol: "£", decimals: 2, duration: "weekly" as const },
  };
  expect(wholeStay(option)).toBe(1_271_600);
  expect(wholeStay({ ...option, lease_duration_unit: "months" })).toBeNull();
});

test("the deposit that is due is the chosen lease's own", () => {
  const price = (amount_minor: number) => ({
    amount_minor,
    currency: "GBP",
    symbol: "£",
    decimals: 2,
    duration: "weekly" as const,
  });
  const due = [
    { type: "deposit" as const, amount: price(25_000), is_default: true },
    { type: "platform_fee" as const, amount: price(5_000), is_default: false },
  ];
  expect(dueOf(due, null)).toEqual(due);
  const own = dueOf(due, price(40_000));
  expect(own.map(({ amount }) => amount.amount_minor)).toEqual([40_000, 5_000]);
  expect(own[0]?.is_default).toBe(false);
});
