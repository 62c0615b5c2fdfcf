import { expect, test } from "vitest";
import { clockTime, dayAndTime, fullMoment, longDay, plainDay, shortDay, spanOf } from "./clock.ts";

const AT = "2026-11-13T10:41:07.218Z";

test("moments read in UTC, whoever looks", () => {
  expect(clockTime(AT)).toBe("10:41:07");
  expect(fullMoment(AT, "en")).toBe("Fri 13 Nov 2026, 10:41:07 UTC");
  expect(longDay(AT, "en")).toBe("Friday 13 November");
  expect(shortDay("2026-11-09", "en")).toBe("Mon 9 Nov");
  expect(plainDay("2027-01-18", "en")).toBe("18 Jan 2027");
  expect(dayAndTime(AT, "en")).toBe("13 Nov 10:41:07");
  expect(plainDay(AT, "zh")).toContain("2026年11月13日");
});

test("a moment that cannot be read is shown as it came", () => {
  expect(plainDay("soon", "en")).toBe("soon");
});

test("a length is told in the largest unit that says something", () => {
  expect(spanOf(400)).toEqual({ unit: "s", count: 0, rest: 0 });
  expect(spanOf(132_000)).toEqual({ unit: "min", count: 2, rest: 12 });
  expect(spanOf(3_900_000)).toEqual({ unit: "h", count: 1, rest: 5 });
  expect(spanOf(90 * 3_600_000)).toEqual({ unit: "d", count: 3, rest: 18 });
  expect(spanOf(-5)).toEqual({ unit: "s", count: 0, rest: 0 });
});
