import { expect, test } from "vitest";
import { cleared, countOf, readFilters, toggled, unreadBudget, withFilters, withPage } from "./filters.ts";

const url =
  "/places/search/london?roomType=ensuite_room,studio_room&budget=180-320&moveInMonth=9&sortKey=distance&sortOrder=asc&utm_source=mail";

test("an address read and written again asks for the same", () => {
  const filters = readFilters(url);
  expect(filters.lists.roomType).toEqual(["ensuite_room", "studio_room"]);
  expect(filters.budget).toEqual({ from: 180, to: 320 });
  expect(readFilters(withFilters(url, filters))).toEqual(filters);
});

// What is not a filter stays in the address, the page number does not.
test("other parameters stay in the address, the page number goes", () => {
  const next = withFilters(withPage(url, 3), toggled(readFilters(url), "guarantor", "false"));
  expect(next).toContain("utm_source=mail");
  expect(next).toContain("guarantor=false");
  expect(next).not.toContain("p=3");
});

test("one distance holds at a time, several room types do", () => {
  const near = toggled(toggled(readFilters(url), "distance", "1609"), "distance", "3218");
  expect(near.lists.distance).toEqual(["3218"]);
  expect(toggled(near, "roomType", "private_room").lists.roomType).toHaveLength(3);
});

test("the count on the button is the number of choices", () => {
  expect(countOf(readFilters(url))).toBe(4);
  expect(countOf(cleared(readFilters(url)))).toBe(0);
});

test("a broken budget is no budget", () => {
  expect(readFilters("/places/search/x?budget=cheap-").budget).toEqual({ from: null, to: null });
});

test("a budget is named that the server does not read", () => {
  const unread = (budget: string) => unreadBudget(`/places/search/x?budget=${budget}`);
  for (const budget of ["", "100-250", "100,250", "-250", "100-", "100.50-200", "+100+-+250"])
    expect([budget, unread(budget)]).toEqual([budget, null]);
  for (const budget of ["cheap-", "1.250-2000", "300-200", "250", "-", "1e9-2"]) {
    expect(unread(budget)).toBe(budget);
    expect(readFilters(`/places/search/x?budget=${budget}`).budget).toEqual({ from: null, to: null });
  }
  expect(unreadBudget("/places/search/x")).toBeNull();
});

// A part of the map survives a changed filter, and clearing gives it up.
test("a map part survives changed filters and ends on clearing", () => {
  const box = { south: 51.4981, west: -0.1822, north: 51.5517, east: -0.0904 };
  const there = withFilters(url, { ...readFilters(url), box });
  expect(readFilters(there)).toEqual({ ...readFilters(url), box });
  expect(readFilters(withFilters(there, toggled(readFilters(there), "guarantor", "false"))).box).toEqual(box);
  expect(withFilters(there, cleared(readFilters(there)))).not.toContain("region_bounds");
});

test("a box without its four corners is no box", () => {
  expect(readFilters("/places/search/x?region_bounds_lat1=51&region_bounds_lng1=0&region_bounds_lat2=x").box).toBe(
    null,
  );
});
