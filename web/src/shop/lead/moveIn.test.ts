import { expect, test } from "vitest";
import { comingQuarters, moveInValue, openSlots, quarterOf, VIEWING_SLOTS } from "./moveIn.ts";

// The next four quarters start with the running one, without the months gone by.
test("the next four quarters start with the running one", () => {
  const quarters = comingQuarters("2026-11-20");
  expect(quarters.map(({ year, name }) => `${name} ${year}`)).toEqual([
    "october_to_december 2026",
    "january_to_march 2027",
    "april_to_june 2027",
    "july_to_september 2027",
  ]);
  expect(quarters[0]?.months).toEqual(["2026-11", "2026-12"]);
});

test("a month says more than its quarter", () => {
  const quarters = comingQuarters("2026-11-20");
  expect(moveInValue(quarters, 3, "2027-09")).toBe("2027-09");
  expect(moveInValue(quarters, 3, "")).toBe("july_to_september");
  expect(moveInValue(quarters, null, "")).toBeUndefined();
  expect(quarterOf(quarters, "2027-09-11")).toBe(3);
  expect(quarterOf(quarters, "2025-09")).toBeNull();
});

test("viewings start every half hour from 09:00 to 18:00", () => {
  expect(VIEWING_SLOTS.length).toBe(19);
  expect(VIEWING_SLOTS[0]).toBe("09:00");
  expect(VIEWING_SLOTS[3]).toBe("10:30");
  expect(VIEWING_SLOTS.at(-1)).toBe("18:00");
});

test("slots gone by on the property's clock are not offered", () => {
  const now = { date: "2026-11-20", time: "16:40" };
  expect(openSlots("2026-11-20", now)).toEqual(["17:00", "17:30", "18:00"]);
  expect(openSlots("2026-11-21", now).length).toBe(19);
  expect(openSlots("2026-11-19", now)).toEqual([]);
});
