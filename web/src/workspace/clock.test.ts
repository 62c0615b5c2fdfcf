import { expect, test } from "vitest";
import { clockTime, dayOf, dayWithYear, fullMoment, plainDay, shortDay, spanOf } from "./clock.ts";

const AT = "2026-11-13T10:41:07.218Z";

test("moments read on the reader's own clock", () => {
  const own = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  expect(clockTime(AT)).toBe(own.format(new Date(AT)));
  expect(fullMoment(AT, "en")).toBe(`${dayWithYear(AT, "en")}, ${clockTime(AT)}`);
  expect(dayOf("2026-11-13")).toBe("2026-11-13");
  expect(shortDay("2026-11-09", "en")).toBe("Mon 9 Nov");
  expect(plainDay("2027-01-18", "en")).toBe("18 Jan 2027");
  expect(plainDay("2026-11-13", "zh")).toContain("2026年11月13日");
});

test("the books' moments read in UTC, whoever looks", () => {});

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
