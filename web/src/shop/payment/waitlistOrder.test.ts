import { expect, test } from "vitest";
import type { WaitlistView } from "../../contract/wire.ts";
import { servedOrder } from "./waitlistOrder.ts";

type Line = WaitlistView["order"][number];

const place = (position: number, number: number | null, more: Partial<Line> = {}): Line => ({
  number,
  position,
  joined_at: "2026-11-26T10:00:00Z",
  state: "waiting",
  is_override: false,
  is_own: false,
  ...more,
});

test("places stand in the order of the numbers that are told", () => {
  const order = [place(10, 3), place(20, 2, { is_override: true }), place(30, 1, { is_override: true })];
  expect(servedOrder(order).next.map(({ position, number }) => [position, number])).toEqual([
    [30, 1],
    [20, 2],
    [10, 3],
  ]);
});

test("places that are over have no number", () => {
  const order = [place(10, null, { state: "taken" }), place(20, 1), place(30, null, { state: "lapsed" })];
  expect(servedOrder(order).next.map(({ position }) => position)).toEqual([20]);
  expect(servedOrder(order).over.map(({ position }) => position)).toEqual([10, 30]);
});
