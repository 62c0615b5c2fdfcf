import { expect, test } from "vitest";
import cases from "../../domain/cases/typed_numbers.json";
import { CURRENCY_SIGNS, type Reading, readAmount, readCount, readNumber, spellAmount } from "./typedNumber.ts";

const decimals = new Map(cases.currencies.map(([code, digits]) => [String(code), Number(digits)]));
const counted = (code: unknown) => ({ currency: String(code), decimals: decimals.get(String(code)) ?? 2 });
/** As the file of cases says it. */
const told = (reading: Reading) => ("number" in reading ? reading.number : reading.doubt.kind);

test("cases shared with the server are read as they say", () => {
  expect(cases.amounts.length).toBeGreaterThan(60);
  for (const [code, typed, expected] of cases.amounts)
    expect([code, typed, told(readNumber(String(typed), counted(code)))]).toEqual([code, typed, expected]);
  for (const [typed, expected] of cases.counts)
    expect([typed, told(readCount(String(typed)))]).toEqual([typed, expected]);
});

test("each currency has the server's sign", () => {
  expect(CURRENCY_SIGNS).toEqual(Object.fromEntries(cases.currencies.map(([code, , sign]) => [code, sign])));
});

test("an amount is spelled so that it is read as itself", () => {
  for (const [code, minor, text] of cases.spelled)
    expect(spellAmount(Number(minor), counted(code).decimals)).toBe(text);
  for (const code of ["GBP", "KRW", "KWD"])
    for (let minor = 0; minor < 3_000_000; minor = minor * 3 + 7)
      expect(readNumber(spellAmount(minor, counted(code).decimals), counted(code))).toEqual({ number: minor });
});

test("a doubt between two amounts says both as they can be typed", () => {
  const write = (code: string, typed: string) => {
    const reading = readAmount(typed, counted(code));
    return "doubt" in reading && reading.doubt.kind === "two_ways" ? reading.doubt.write : null;
  };
  expect(write("GBP", "1,250")).toEqual(["1250", "1.25"]);
  expect(write("GBP", "1.250")).toEqual(["1250", "1.25"]);
  // No pound has a thousandth.
  expect(write("GBP", "12,345")).toEqual(["12345"]);
  expect(write("KWD", "12.345")).toEqual(["12345", "12.3450"]);
  for (const [code, typed] of [
    ["GBP", "1,250"],
    ["KWD", "12.345"],
  ] as const)
    for (const text of write(code, typed) ?? []) expect(told(readAmount(text, counted(code)))).toBeTypeOf("number");
});

test("an amount that moves money is more than nought", () => {
  expect(readAmount("0.00", counted("GBP"))).toEqual({ doubt: { kind: "zero" } });
});
