import { expect, test } from "vitest";
import { decimalsOf, symbolOf } from "./currency.ts";

test("each currency has the digits that ISO 4217 gives it", () => {
  const none = [
    "BIF",
    "CLP",
    "DJF",
    "GNF",
    "ISK",
    "JPY",
    "KMF",
    "KRW",
    "PYG",
    "RWF",
    "UGX",
    "VND",
    "VUV",
    "XAF",
    "XOF",
    "XPF",
  ];
  const three = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];
  const two = ["GBP", "EUR", "PKR", "LKR", "MGA", "MUR", "IRR", "CHF", "XCD", "TRY", "AUD", "VES", "UYU", "MOP", "INR"];
  expect(none.filter((code) => decimalsOf(code) !== 0)).toEqual([]);
  expect(three.filter((code) => decimalsOf(code) !== 3)).toEqual([]);
  expect(two.filter((code) => decimalsOf(code) !== 2)).toEqual([]);
});

test("a currency without a sign is named by its code", () => {
  expect(["JPY", "EUR", "CHF"].map(symbolOf)).toEqual(["¥", "€", "CHF"]);
});
