import { expect, test } from "vitest";
import cases from "../../../domain/cases/typed_numbers.json";
import type { Reading } from "../typedNumber.ts";
import { readWholeAmount } from "./wholeAmount.ts";

const told = (reading: Reading) => ("number" in reading ? reading.number : reading.doubt.kind);

test("whole amounts of the shared cases are read as they say", () => {
  expect(cases.whole_amounts.length).toBeGreaterThan(20);
  for (const [typed, expected] of cases.whole_amounts)
    expect([typed, told(readWholeAmount(String(typed)))]).toEqual([typed, expected]);
});

test("a doubted whole amount has the readings of the server", () => {
  for (const [typed, readings] of cases.doubted) {
    const reading = readWholeAmount(String(typed));
    const write = "doubt" in reading && reading.doubt.kind === "two_ways" ? reading.doubt.write : [];
    expect([typed, write]).toEqual([typed, readings]);
  }
});
