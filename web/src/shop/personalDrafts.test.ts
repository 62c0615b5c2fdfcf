import { beforeEach, expect, test } from "vitest";
import { clearDrafts, DRAFTS_OF, settleDrafts } from "./personalDrafts.ts";

const DRAFTS = [
  "latchkey.form.f1",
  "latchkey.lead.p1",
  "lead_form_part_one",
  "lead_form_part_two",
  "latchkey.enquired",
];

beforeEach(() => {
  localStorage.clear();
  for (const name of [...DRAFTS, "latchkey.period"]) localStorage.setItem(name, "x");
});

const kept = () => DRAFTS.filter((name) => localStorage.getItem(name) !== null);

test("drafts go with the logout of their account", () => {
  settleDrafts(localStorage, "mei");
  expect(kept()).toEqual(DRAFTS);
  settleDrafts(localStorage, null);
  expect(kept()).toEqual([]);
  expect(localStorage.getItem(DRAFTS_OF)).toBeNull();
  expect(localStorage.getItem("latchkey.period")).toBe("x");
});

test("drafts of one account are gone for another", () => {
  settleDrafts(localStorage, "mei");
  settleDrafts(localStorage, "mei");
  expect(kept()).toEqual(DRAFTS);
  settleDrafts(localStorage, "bo");
  expect(kept()).toEqual([]);
  expect(localStorage.getItem(DRAFTS_OF)).toBe("bo");
});

test("drafts of a visitor stay until they are cleared", () => {
  settleDrafts(localStorage, null);
  expect(kept()).toEqual(DRAFTS);
  clearDrafts(localStorage);
  expect(kept()).toEqual([]);
});
