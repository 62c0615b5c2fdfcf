import { expect, test } from "vitest";
import { date, money, month, number } from "./format.ts";
import { fill } from "./message.ts";

test("a plural takes the form its language asks for", () => {
  const homes = "{n, plural, =0 {No homes} one {# home} other {# homes}} in {city}";
  expect(fill(homes, { n: 0, city: "Leeds" }, "en")).toBe("No homes in Leeds");
  expect(fill(homes, { n: 1, city: "Leeds" }, "en")).toBe("1 home in Leeds");
  expect(fill(homes, { n: 12, city: "Leeds" }, "en")).toBe("12 homes in Leeds");
  expect(fill("{n, plural, other {#套}}", { n: 1 }, "zh")).toBe("1套");
});

// Money shows pence only where there are any, unless they are asked for.
test("money shows pence only where there are any or when asked", () => {
  const pound = { symbol: "£", decimals: 2 };
  expect(money(125_000, pound, "en")).toBe("£1,250");
  expect(money(125_050, pound, "en")).toBe("£1,250.50");
  expect(money(25_000, pound, "en", "exact")).toBe("£250.00");
  expect(money(-25_000, pound, "en")).toBe("−£250");
  expect(money(1_250_000, { symbol: "₩", decimals: 0 }, "en")).toBe("₩1,250,000");
});

test("numbers and dates read as the language writes them", () => {
  expect(number(1_234_567, "en")).toBe("1,234,567");
  expect(number(1_234, "de")).toBe("1.234");
  expect(date("2026-09-04", "day", "en")).toBe("4 Sep 2026");
  expect(date("2026-09-04T14:05:00Z", "moment", "en")).toBe("4 Sep 2026, 14:05");
  expect(date("2026-09-04", "day", "zh")).toBe("2026年9月4日");
  expect(month("2026-09", "en")).toBe("September");
});
