import { expect, test } from "vitest";
import { exact, readAmount, signed, typedAmount } from "./amounts.ts";

test("an amount shows every minor unit, grouped, with a true minus", () => {
  expect(exact(25_907, 2)).toBe("259.07");
  expect(exact(-103_627, 2)).toBe("−1,036.27");
  expect(exact(5, 2)).toBe("0.05");
  expect(exact(0, 2)).toBe("0.00");
  expect(exact(1_250_000, 0)).toBe("1,250,000");
  expect(exact(18_420_641, 2)).toBe("184,206.41");
});

// Money that came in carries a plus, money that went out a minus, none neither.
test("money in has a plus, money out a minus, neither has none", () => {
  expect([signed(100, 2), signed(-100, 2), signed(0, 2)]).toEqual(["+1.00", "−1.00", "0.00"]);
});

test("a typed amount is read exactly, without floating point", () => {
  expect(readAmount("259.07", 2)).toBe(25_907);
  expect(readAmount("1,036.2", 2)).toBe(103_620);
  expect(readAmount("8", 2)).toBe(800);
  expect(readAmount("0.29", 2)).toBe(29);
  expect(readAmount("500", 0)).toBe(500);
});

// What is not an amount, or finer than the currency, is not read.
test("what is no amount or finer than the currency is not read", () => {
  for (const typed of ["", "abc", "-5", "0", "1.001", "1e3", "£5", "5.", "99999999999999"])
    expect(readAmount(typed, 2)).toBeNull();
  expect(readAmount("5.5", 0)).toBeNull();
});

test("a typed amount comes back as it was", () => {
  for (const minor of [1, 29, 25_907, 103_627_00]) expect(readAmount(typedAmount(minor, 2), 2)).toBe(minor);
});
