import { expect, test } from "vitest";
import { cardFaults, groupDigits, groupExpiry } from "./card.ts";
import { TEST_CARDS } from "./testCards.ts";

const today = new Date("2026-11-20T12:00:00Z");
const good = { number: "4242 4242 4242 4242", expiry: "08 / 29", code: "123", holder: "", country: "ES" };

test("a card is written as it stands on plastic", () => {
  expect(groupDigits("4242424242424242")).toBe("4242 4242 4242 4242");
  expect(groupDigits("4242 42")).toBe("4242 42");
  expect(groupExpiry("0829")).toBe("08 / 29");
  expect(groupExpiry("08 /")).toBe("08");
});

// Every test card passes the form, so that the gateway can decline it.
test("every test card passes the form and reaches the gateway", () => {
  for (const { number } of TEST_CARDS) expect(cardFaults({ ...good, number: groupDigits(number) }, today)).toEqual({});
});

test("a card form says what is wrong with it", () => {
  expect(cardFaults({ ...good, number: "4242" }, today)).toEqual({ number: "payment.fault_number" });
  expect(cardFaults({ ...good, expiry: "13 / 29" }, today)).toEqual({ expiry: "payment.fault_expiry" });
  expect(cardFaults({ ...good, expiry: "10 / 26" }, today)).toEqual({ expiry: "payment.fault_expired" });
  expect(cardFaults({ ...good, expiry: "11 / 26" }, today)).toEqual({});
  expect(cardFaults({ ...good, code: "12" }, today)).toEqual({ code: "payment.fault_code" });
});
