import { expect, test } from "vitest";
import { axis } from "./trendScale.ts";

test("the axis has round steps around all values", () => {
  const { low, high, ticks } = axis([27_700, 30_100, 33_800, 36_600], 100);
  expect(low).toBeLessThan(27_700);
  expect(high).toBeGreaterThan(36_600);
  expect(ticks.length).toBeGreaterThan(3);
  expect(ticks.length).toBeLessThan(9);
  expect(ticks.every((tick) => tick % 1000 === 0)).toBe(true);
});

test("a flat line still gets an axis", () => {
  const { low, high } = axis([20_000, 20_000], 100);
  expect(high).toBeGreaterThan(low);
});
