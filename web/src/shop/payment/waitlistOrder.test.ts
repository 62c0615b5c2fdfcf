import { expect, test } from "vitest";
import type { WaitlistView } from "../../contract/wire.ts";
import { servedOrder } from "./waitlistOrder.ts";

type Line = WaitlistView["order"][number];

const place = (position: number, more: Partial<Line> = {}): Line => ({
  position,
  joined_at: "2026-11-26T10:00:00Z",
  state: "waiting",
  is_override: false,
  is_own: false,
  ...more,
});

const numbers = (order: Line[], own: number | null = null) =>
  servedOrder(order, own).next.map(({ line, first, last }) => [line.position, first, last]);

test("place moved up is first where it is served", () => {
  expect(numbers([place(10), place(20), place(30, { is_override: true })])).toEqual([
    [30, 1, 1],
    [10, 2, 2],
    [20, 3, 3],
  ]);
});

test("kept room comes before every waiting place", () => {
  expect(numbers([place(10, { state: "offered" }), place(20), place(30, { is_override: true })])).toEqual([
    [10, 1, 1],
    [30, 2, 2],
    [20, 3, 3],
  ]);
});

test("places that are over have no number", () => {
  const order = [place(10, { state: "taken" }), place(20), place(30, { state: "lapsed" })];
  expect(numbers(order)).toEqual([[20, 1, 1]]);
  expect(servedOrder(order, null).over.map(({ position }) => position)).toEqual([10, 30]);
});

/** The API does not say which of two was moved first: both may be next. */
test("several places moved up share their numbers", () => {
  const order = [place(10), place(20, { is_override: true }), place(30, { is_override: true, is_own: true })];
  expect(numbers(order)).toEqual([
    [20, 1, 2],
    [30, 1, 2],
    [10, 3, 3],
  ]);
  expect(numbers(order, 1)).toContainEqual([30, 1, 1]);
});
