import { expect, test } from "vitest";
import { countFree, listMonths, placeDay, stepWeek } from "./skyline.ts";

const weeks = [
  { from: "2027-09-06", free: 6 },
  { from: "2027-09-13", free: 2 },
  { from: "2027-09-20", free: 4 },
  { from: "2027-09-27", free: 5 },
];

test("a stay has as many rooms free as its fullest week", () => {
  expect(countFree("2027-09-11", "2027-09-25", weeks)).toBe(2);
  // The day of leaving is another's day of moving in.
  expect(countFree("2027-09-20", "2027-09-27", weeks)).toBe(4);
});

test("a stay that the line does not hold has no figure", () => {
  expect(countFree("2027-08-30", "2027-09-25", weeks)).toBeNull();
  expect(countFree("2027-09-11", "2028-07-15", weeks)).toBeNull();
  expect(countFree("2027-09-11", "2027-09-25", [])).toBeNull();
});

test("months begin where their first day lies", () => {
  expect(listMonths("2027-09-06", 4).map(({ day }) => day)).toEqual(["2027-10-01"]);
  expect(listMonths("2027-11-01", 1)).toEqual([{ day: "2027-11-01", at: 0 }]);
  expect(placeDay("2027-09-20", "2027-09-06", 4)).toBe(50);
  expect(placeDay("2028-09-20", "2027-09-06", 4)).toBe(100);
});

test("keys go a week, four weeks, or to an end", () => {
  expect(stepWeek("ArrowRight", 0, 52)).toBe(1);
  expect(stepWeek("ArrowLeft", 0, 52)).toBe(0);
  expect(stepWeek("PageUp", 50, 52)).toBe(51);
  expect(stepWeek("End", 3, 52)).toBe(51);
  expect(stepWeek("a", 3, 52)).toBeNull();
});
