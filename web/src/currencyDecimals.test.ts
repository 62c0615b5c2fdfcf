import { expect, test } from "vitest";
import cases from "../../domain/cases/typed_numbers.json";
import { decimalsOf, OTHER_DECIMALS } from "./currencyDecimals.ts";

test("currencies have the decimals that the server counts", () => {
  expect(OTHER_DECIMALS).toEqual(cases.other_decimals);
  expect(["GBP", "HUF", "IDR", "JPY", "KWD"].map(decimalsOf)).toEqual([2, 2, 2, 0, 3]);
});
