import { expect, test } from "vitest";
import type { BrandValues } from "./brandCalls.ts";
import {
  cleanValues,
  dropSent,
  keepMine,
  listOvertaken,
  listSections,
  moveSection,
  NO_DRAFT,
  readColour,
  sayWords,
  showValues,
  takeTheirs,
  toggleSection,
  typeOver,
} from "./brandEdit.ts";

const saved: BrandValues = { name: "Quayside", hero: { en: "Rooms by the water" }, main_colour: null, sections: null };

test("typed values are sent trimmed, and an emptied one as null", () => {
  const draft = typeOver(NO_DRAFT, saved, {
    name: " ",
    hero: { en: "Rooms ", zh: "" },
    mail_small_print: ["Quayside Rooms Ltd ", "", " "],
    support: [
      { country: "uk", phone: " +44 117 496 0142", email: "" },
      { country: null, phone: "" },
    ],
    footer_links: [{ label: { en: "Press", zh: " " }, href: "/press " }],
    sections: [],
  });
  expect(cleanValues(draft.typed)).toEqual({
    name: null,
    hero: { en: "Rooms", zh: null },
    mail_small_print: ["Quayside Rooms Ltd"],
    support: [{ country: "uk", phone: "+44 117 496 0142" }],
    footer_links: [{ label: { en: "Press" }, href: "/press" }],
    sections: [],
  });
});

test("a value that comes back to what is saved is no change", () => {
  const draft = typeOver(NO_DRAFT, saved, { name: "Quaysid", hero: { en: "Rooms by the water ", zh: "" } });
  expect(draft.typed).toEqual({ name: "Quaysid" });
  expect(typeOver(draft, saved, { name: "Quayside" })).toEqual(NO_DRAFT);
  expect(typeOver(NO_DRAFT, saved, { main_colour: "", support: [{ country: null }] })).toEqual(NO_DRAFT);
});

test("values changed meanwhile are named, and either can win", () => {
  const draft = typeOver(NO_DRAFT, saved, { name: "Harbour", main_colour: "#7A2E5D" });
  const now = { ...saved, name: "Wharf", hero: { en: "By the water" } };
  expect(listOvertaken(draft, saved)).toEqual([]);
  expect(listOvertaken(draft, now)).toEqual(["name"]);
  expect(listOvertaken(keepMine(draft, now), now)).toEqual([]);
  expect(showValues(keepMine(draft, now), now).name).toBe("Harbour");
  expect(showValues(takeTheirs(draft, ["name"]), now)).toEqual({ ...now, main_colour: "#7A2E5D" });
});

test("what was typed while the draft was saved stays", () => {
  const sent = { name: "Harbour", main_colour: "#7A2E5D" };
  const draft = typeOver(NO_DRAFT, saved, { ...sent, name: "Harbour Rooms" });
  const now = { ...saved, ...sent };
  const left = dropSent(draft, sent, now);
  expect(left.typed).toEqual({ name: "Harbour Rooms" });
  expect(listOvertaken(left, now)).toEqual([]);
});

test("colours are taken with three digits or six", () => {
  expect(["7a2e5d", " #7A2E5D", "#fc0", "#FC", "plum", null].map(readColour)).toEqual([
    "#7A2E5D",
    "#7A2E5D",
    "#FFCC00",
    null,
    null,
    null,
  ]);
});

test("sections are hidden, shown and moved", () => {
  const hidden = toggleSection(null, "facts");
  expect(hidden).toEqual(["cities", "recent", "how_it_works", "ask"]);
  expect(listSections(hidden)).toEqual(["cities", "recent", "how_it_works", "ask", "facts"]);
  expect(moveSection(hidden, "ask", -1)).toEqual(["cities", "recent", "ask", "how_it_works"]);
  expect(moveSection(null, "cities", -1)).toBeNull();
  expect(moveSection(moveSection(null, "cities", 1), "cities", -1)).toBeNull();
  expect(toggleSection(["cities"], "cities")).toEqual([]);
});

test("a text without the reader's language falls back", () => {
  expect(sayWords({ en: "Rooms", zh: " " }, "zh")).toBe("Rooms");
  expect(sayWords({ zh: "房间" }, "en")).toBeNull();
});
