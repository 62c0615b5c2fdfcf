import { expect, test } from "vitest";
import type { HomeFact, HomeValues } from "../../../contract/wire.ts";
import { readCurrency } from "../../homeCurrency.ts";
import { readFactName, toggleWord, writePart } from "./factNames.ts";
import {
  buildEdit,
  countChanges,
  type Draft,
  dropSettled,
  findDoubt,
  findShown,
  isOvertaken,
  keepMine,
  NO_DRAFT,
  nameRefused,
  spellValue,
  takeTheirs,
  toggleGiven,
  typeOver,
} from "./homeEdit.ts";

const POUNDS = readCurrency("GBP");
const PRICE = "rooms.r1.price.2027-09-11/44 weeks";

function fact(name: string, value: HomeFact["value"], given: Partial<HomeFact> = {}): HomeFact {
  return {
    fact: name,
    value,
    from: "feed",
    feed: null,
    person: null,
    is_set: false,
    note: "",
    room_id: null,
    ...given,
  };
}

const TERMS = {
  asks_no_deposit: false,
  booking_allowed: true,
  payment_before_bookform: false,
  deposit_minor: 25_000,
  refundable_token_minor: 0,
  platform_fee_minor: 0,
  max_deposit_minor: 0,
  deposit_multiplier_percent: 0,
};

const home: HomeValues = {
  home_id: "h1",
  name: "Portland Court",
  feed: "north",
  position: 4711,
  currency: "GBP",
  period: "weekly",
  values: [fact("name", "Portland Court"), fact("terms", TERMS), fact(PRICE, 21_500)],
};

const named = (name: string) => home.values.find((one) => one.fact === name) ?? fact(name, null);

function type(draft: Draft, of: HomeFact, text: string): Draft {
  return typeOver(draft, of, text, spellValue(of.fact, of.value, POUNDS));
}

test("names of facts are read, unknown ones are shown only", () => {
  expect(readFactName("bills_included")).toEqual({ kind: "bills" });
  expect(readFactName("description.zh")).toEqual({ kind: "description", language: "zh" });
  expect(readFactName("rooms.r1.kind")).toEqual({ kind: "room_types", room: "r1" });
  expect(readFactName(PRICE)).toEqual({
    kind: "price",
    room: "r1",
    stay: { moveIn: "2027-09-11", length: "44 weeks" },
  });
  for (const other of ["coordinates", "place", "rooms.r1.floor", "toString"]) {
    expect(readFactName(other)).toEqual({ kind: "fixed" });
  }
});

test("the shown value typed again is no change", () => {
  const typed = type(NO_DRAFT, named("name"), "Portland Yard");
  expect(countChanges(typed)).toBe(1);
  expect(countChanges(type(typed, named("name"), "Portland Court"))).toBe(0);
  expect(countChanges(type(NO_DRAFT, named(PRICE), "215"))).toBe(0);
});

test("an edit carries what was typed alone", () => {
  let draft = type(NO_DRAFT, named("name"), " Portland Yard ");
  draft = type(draft, named(PRICE), "219.50");
  draft = type(draft, fact("rooms.r1.count", 12), "14");
  draft = type(draft, fact("guarantor", "local"), "");
  draft = type(draft, fact("description.zh", "旧"), "");
  draft = type(draft, fact("facilities", ["wifi", "gym"]), toggleWord(JSON.stringify(["gym", "wifi"]), "gym"));
  draft = toggleGiven(draft, "bills_included");
  expect(buildEdit(home, draft, " Measured on site ")).toEqual({
    position: 4711,
    reason: "Measured on site",
    name: "Portland Yard",
    guarantor: "not_said",
    description: { zh: null },
    facilities: ["wifi"],
    rooms: [
      {
        room_id: "r1",
        count: 14,
        leases: [{ move_in: "2027-09-11", length: "44 weeks", price_minor: 21_950 }],
      },
    ],
    unset: ["bills_included"],
  });
});

test("terms that were not touched stay, an emptied one is not said", () => {
  const spelled = spellValue("terms", TERMS, POUNDS);
  const typed = writePart(writePart(spelled, "deposit_minor", ""), "platform_fee_minor", "49.99");
  const { terms } = buildEdit(home, type(NO_DRAFT, named("terms"), typed), "why");
  expect(terms).toEqual({ deposit_minor: 0, platform_fee_minor: 4_999 });
});

test("no deposit is said as such, and an amount takes its place", () => {
  const spelled = spellValue("terms", TERMS, POUNDS);
  const none = writePart(writePart(spelled, "asks_no_deposit", "true"), "deposit_minor", "");
  const { terms } = buildEdit(home, type(NO_DRAFT, named("terms"), none), "why");
  expect(terms).toEqual({ asks_no_deposit: true, deposit_minor: 0 });
  const free = { ...TERMS, asks_no_deposit: true, deposit_minor: 0 };
  const freeHome = { ...home, values: [fact("terms", free)] };
  const asked = writePart(
    writePart(spellValue("terms", free, POUNDS), "asks_no_deposit", "false"),
    "deposit_minor",
    "250",
  );
  const back = buildEdit(freeHome, type(NO_DRAFT, fact("terms", free), asked), "why");
  expect(back.terms).toEqual({ asks_no_deposit: false, deposit_minor: 25_000 });
});

test("doubted numbers are found in counts, prices and terms", () => {
  expect(findDoubt(PRICE, "219", POUNDS)).toBeNull();
  expect(findDoubt(PRICE, "soon", POUNDS)?.doubt.kind).toBe("no_number");
  expect(findDoubt("rooms.r1.count", "1.5", POUNDS)).not.toBeNull();
  expect(findDoubt("terms", writePart("", "deposit_minor", "much"), POUNDS)?.typed).toBe("much");
  expect(findDoubt("name", "much", POUNDS)).toBeNull();
});

test("a fact changed by others keeps what was typed", () => {
  const draft = type(NO_DRAFT, named("name"), "Portland Yard");
  const theirs = fact("name", "Portland House");
  expect(isOvertaken(draft, named("name"))).toBe(false);
  expect(isOvertaken(draft, theirs)).toBe(true);
  expect(isOvertaken(keepMine(draft, theirs), theirs)).toBe(false);
  expect(keepMine(draft, theirs).typed.name?.text).toBe("Portland Yard");
  expect(countChanges(takeTheirs(draft, theirs))).toBe(0);
});

test("refusals name the fact that they are about", () => {
  const draft = type(type(NO_DRAFT, named(PRICE), "219"), fact("rooms.r1.count", 3), "2");
  const edit = buildEdit(home, draft, "why");
  expect(nameRefused(edit, "rooms/0/leases/0/move_in")).toBe(PRICE);
  expect(nameRefused(edit, "rooms/0/room_id")).toBe("rooms.r1.count");
  expect(nameRefused(edit, "rooms.r1.count")).toBe("rooms.r1.count");
  expect(nameRefused(edit, PRICE)).toBe(PRICE);
  expect(nameRefused(edit, "bills")).toBe("bills_included");
  expect(nameRefused(edit, "description/zh")).toBe("description.zh");
  expect(nameRefused(edit, "reason")).toBe("reason");
});

test("prices in forint keep their hundredths", () => {
  const forint = readCurrency("HUF");
  expect(spellValue(PRICE, 15_000_000, forint)).toBe("150000");
  expect(findDoubt(PRICE, "150000.50", forint)).toBeNull();
});

test("a student sees the draft, or the value given back", () => {
  const feed = {
    value: "Feed Court",
    at: "",
    by: { kind: "system" as const, label: "" },
    correlation_id: "",
    position: 1,
    reason: null,
  };
  const set = fact("name", "Portland Court", { feed, is_set: true });
  expect(findShown(NO_DRAFT, set, POUNDS)).toBe("Portland Court");
  expect(findShown(toggleGiven(NO_DRAFT, "name"), set, POUNDS)).toBe("Feed Court");
  expect(findShown(type(NO_DRAFT, set, " "), set, POUNDS)).toBeNull();
  expect(findShown(NO_DRAFT, undefined, POUNDS)).toBeNull();
});

test("a language of a room's name that is emptied is taken away", () => {
  const name = fact("rooms.r1.name", { en: "Studio", zh: "单间" });
  const draft = type(NO_DRAFT, name, writePart(JSON.stringify(name.value), "zh", ""));
  expect(buildEdit(home, draft, "why").rooms).toEqual([{ room_id: "r1", leases: [], name: { en: "Studio" } }]);
});

test("a fact whose feed won meanwhile need not go back to it", () => {
  const set = fact("name", "Portland Court", { is_set: true });
  const draft = toggleGiven(NO_DRAFT, "name");
  expect(dropSettled(draft, [set])).toBe(draft);
  expect(countChanges(dropSettled(draft, [{ ...set, is_set: false }]))).toBe(0);
});

test("a name in a language is typed and taken away as its own fact", () => {
  const typed = type(NO_DRAFT, fact("name.zh", null), "港湾公寓");
  expect(buildEdit(home, typed, "why")).toEqual({ position: 4711, reason: "why", names: { zh: "港湾公寓" } });
  const gone = type(NO_DRAFT, fact("name.zh", "港湾公寓"), "");
  expect(buildEdit(home, gone, "why").names).toEqual({ zh: null });
  expect(nameRefused({ position: 1, reason: "why" }, "names/zh")).toBe("name.zh");
});
