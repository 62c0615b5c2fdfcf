import { expect, test } from "vitest";
import { readCurrency } from "../../homeCurrency.ts";
import { findNamed } from "../PlaceField.tsx";
import { hasPrice, NO_ROOM, readRoom } from "./newRoom.ts";

const cities = [
  { canonical_name: "tokyo", currency: "JPY" },
  { canonical_name: "london", currency: "GBP" },
];

test.each([
  ["Tokyo (tokyo)", "68000", 68_000],
  ["london", "189.50", 18_950],
])("a price in %s is read in its currency", (city, price, minor) => {
  const named = findNamed(cities, { city, area: "" });
  const typed = { ...NO_ROOM, name: "Studio", count: "2", moveIn: "2027-09-11", price };
  const read = readRoom(typed, "en", readCurrency(named?.currency ?? ""));
  expect(read).toHaveProperty("room.leases.0.price_minor", minor);
});

test("a city that no place is called by has no currency", () => {
  expect(findNamed(cities, { city: "Atlantis", area: "" })).toBeUndefined();
  expect(findNamed(cities, { city: "", area: "" })).toBeUndefined();
});

test("a room without a lease needs no currency", () => {
  const counted = readCurrency("GBP");
  const room = { ...NO_ROOM, name: "Studio", count: "2" };
  expect(hasPrice(readRoom(room, "en", counted))).toBe(false);
  expect(hasPrice(readRoom({ ...room, moveIn: "2027-09-11", price: "189" }, "en", counted))).toBe(true);
});
