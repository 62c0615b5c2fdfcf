import { expect, test } from "vitest";
import { hasEnded, lastDayOf, lastEndedMonth, monthBefore, monthOf } from "./months.ts";

test("months end on their last day", () => {
  expect(lastDayOf("2026-11")).toBe("2026-11-30");
  expect(lastDayOf("2028-02")).toBe("2028-02-29");
  expect(lastDayOf("2026-12")).toBe("2026-12-31");
});

test("month before January is December of the year before", () => {
  expect(monthBefore("2027-01")).toBe("2026-12");
  expect(monthOf(Date.UTC(2026, 10, 30, 23, 59))).toBe("2026-11");
});

test("month under way has no end yet", () => {
  const now = Date.UTC(2026, 11, 1, 0, 0);
  expect(lastEndedMonth(now)).toBe("2026-11");
  expect(lastEndedMonth(now - 1)).toBe("2026-10");
  expect(hasEnded("2026-11", now)).toBe(true);
  expect(hasEnded("2026-12", now)).toBe(false);
  expect(hasEnded("9999-12", now)).toBe(false);
  expect(hasEnded("", now)).toBe(false);
  expect(hasEnded("2026-13", now)).toBe(false);
});
