import { expect, test } from "vitest";
import cases from "../../../i18n/messages.cases.json";
import { date, money, month, number } from "./format.ts";
import { fill, type MessageParams } from "./message.ts";

// The server's tests read the same cases.
test("messages are filled as on the server", () => {
  const filled = cases.map(({ message, params, lang }) => fill(message, paramsOf(params), lang));
  expect(filled).toEqual(cases.map(({ text }) => text));
});

/** A part that a case leaves out is there as undefined for the compiler alone. */
const paramsOf = (params: Record<string, string | undefined>): MessageParams =>
  Object.fromEntries(Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

// Money shows pence only where there are any, unless they are asked for.
test("money shows pence only where there are any or when asked", () => {
  const pound = { symbol: "£", decimals: 2 };
  expect(money(125_000, pound, "en")).toBe("£1,250");
  expect(money(125_050, pound, "en")).toBe("£1,250.50");
  expect(money(25_000, pound, "en", "exact")).toBe("£250.00");
  expect(money(-25_000, pound, "en")).toBe("−£250");
  expect(money(1_250_000, { symbol: "₩", decimals: 0 }, "en")).toBe("₩1,250,000");
});

test("a symbol of letters stands apart from the number", () => {
  const kroner = { symbol: "kr", decimals: 2 };
  expect(money(125_000, kroner, "en")).toBe("kr\u00a01,250");
  expect(money(-125_000, kroner, "de")).toBe("−1.250\u00a0kr");
  expect(money(125_000, { symbol: "AU$", decimals: 2 }, "fr")).toBe("1\u202f250\u00a0AU$");
});

test("numbers and dates read as the language writes them", () => {
  expect(number(1_234_567, "en")).toBe("1,234,567");
  expect(number(1_234, "de")).toBe("1.234");
  expect(date("2026-09-04", "day", "en")).toBe("4 Sep 2026");
  expect(date("2026-09-04T14:05:00Z", "moment", "en")).toBe("4 Sep 2026, 14:05");
  expect(date("2026-09-04", "day", "zh")).toBe("2026年9月4日");
  expect(month("2026-09", "en")).toBe("September");
});
