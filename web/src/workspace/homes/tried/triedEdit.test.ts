import { expect, test } from "vitest";
import type { HomeFact, HomeValues } from "../../../contract/wire.ts";
import { NO_DRAFT, toggleGiven, typeOver } from "../facts/homeEdit.ts";
import { listTried } from "./triedEdit.ts";

const by = { kind: "staff" as const, label: "Priya Nair" };

function fact(name: string, value: HomeFact["value"], feed: HomeFact["value"] = value): HomeFact {
  const said = { at: "2026-11-24T16:40:00Z", by, correlation_id: "c", position: 1, reason: null, value: feed };
  const from = value === feed ? ("feed" as const) : ("person" as const);
  return { fact: name, value, from, feed: said, person: null, is_set: value !== feed, note: "", room_id: "r" };
}

const count = fact("rooms.r.count", 4);
const price = fact("rooms.r.price.2027-09-11/44 weeks", 18_900, 17_500);
const name = fact("name", "Portland Court");
const home: HomeValues = {
  home_id: "h",
  name: "Portland Court",
  feed: "north",
  position: 7,
  currency: "GBP",
  period: "weekly",
  values: [name, count, price],
};

test("prices and numbers of rooms are tried, other facts are not", () => {
  const named = typeOver(NO_DRAFT, name, "Portland Yard", "Portland Court");
  expect(listTried(home, named)).toEqual([]);
  const draft = typeOver(typeOver(named, count, "3", "4"), price, "192.50", "189");
  const leases = [{ move_in: "2027-09-11", length: "44 weeks", price_minor: 19_250 }];
  expect(listTried(home, draft)).toEqual([{ room_id: "r", count: 3, leases }]);
});

test("a value that goes back to the feed's is tried as that", () => {
  const leases = [{ move_in: "2027-09-11", length: "44 weeks", price_minor: 17_500 }];
  expect(listTried(home, toggleGiven(NO_DRAFT, price.fact))).toEqual([{ room_id: "r", leases }]);
});

test("a number that cannot be read yet is left out", () => {
  const draft = typeOver(typeOver(NO_DRAFT, count, "3", "4"), price, "19x", "189");
  expect(listTried(home, draft)).toEqual([{ room_id: "r", count: 3, leases: [] }]);
});
