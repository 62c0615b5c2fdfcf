import { afterEach, expect, test, vi } from "vitest";
import { freeBottom, watchToasts } from "./freePlace.ts";

const band = (top: number, bottom: number, left = 16, right = 374) => ({ top, bottom, left, right });
const toast = band(0, 56);

// Files of tests share the document.
afterEach(() => document.body.replaceChildren());

test("toasts lie at the bottom where nothing is there", () => {
  expect(freeBottom(toast, [], 844)).toBe(24);
  expect(freeBottom(toast, [band(100, 140)], 844)).toBe(24);
});

// The bar of a home at 390 px: price, Ask, Book.
test("toasts lie above a bar of buttons", () => {
  const bottom = freeBottom(toast, [band(778, 826, 200, 280), band(778, 826, 288, 374)], 844);
  expect(844 - bottom).toBeLessThanOrEqual(778);
  expect(bottom).toBeLessThan(90);
});

test("toasts fit between buttons, and pass beside them", () => {
  const bars = [band(780, 830), band(660, 700), band(520, 560)];
  expect(freeBottom(toast, bars, 844)).toBe(64);
  expect(freeBottom(toast, [band(780, 830, 380, 390)], 844)).toBe(24);
});

test("where everything is buttons toasts stay at the bottom", () => {
  expect(freeBottom(toast, [band(0, 844)], 844)).toBe(24);
});

// The page at the foot of which Ask and Book lie, as a phone of 390 px shows it.
test("toasts that come move off the buttons under them", async () => {
  document.body.innerHTML = '<div class="toasts" role="status"></div><button type="button">Book</button>';
  Object.assign(document.querySelector("button") ?? {}, { getBoundingClientRect: () => band(700, 760) });
  watchToasts();
  const line = Object.assign(document.createElement("div"), { getBoundingClientRect: () => band(688, 744) });
  const toasts = document.querySelector<HTMLElement>(".toasts");
  toasts?.append(line);
  await vi.waitFor(() => expect(Number.parseInt(toasts?.style.bottom ?? "", 10)).toBeGreaterThan(innerHeight - 700));
});
