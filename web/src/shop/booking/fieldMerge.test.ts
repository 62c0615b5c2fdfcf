import { expect, test } from "vitest";
import type { BookingForm } from "../../contract/wire.ts";
import { type Answers, type Side, shownAnswers, withNewer, withSaid, withSaved, withTyped } from "./fieldMerge.ts";

const form = (personal_form: Answers, version = 1): BookingForm => ({
  documents: [],
  form_uuid: "f-1",
  lead_uuid: "l-1",
  inventory_id: "room-1",
  flow: "book",
  status: "started",
  version,
  sections: { personal_form, emergency_form: {}, guarantor_form: {}, confirmation_documents: {} },
  completed_sections: [],
  form: { sections: [] },
  place: null,
  price_lock: null,
  stay: null,
});

const side = (answers: Answers): Side => ({
  form: form(answers),
  unsaved: {},
  seen: {},
  said: {},
  held: null,
  told: [],
});

const typing = (one: Side, answers: Answers): Side => ({ ...one, ...withTyped(one, "personal_form", answers) });

test("only typed fields are written, with what was shown before", () => {
  const typed = typing(side({ full_name: "Mei", course: "Law" }), { full_name: "Mei Lin", course: "Law", city: "" });
  expect(typed.unsaved).toEqual({ personal_form: { full_name: "Mei Lin" } });
  expect(typed.seen).toEqual({ personal_form: { full_name: "Mei" } });
  const again = typing(typed, { full_name: "Mei Lin Chen" });
  expect(again.seen).toEqual({ personal_form: { full_name: "Mei" } });
});

test("another device's fields come in beside what is typed here", () => {
  const typed = typing(side({ full_name: "Mei" }), { full_name: "Mei Lin" });
  const newer = { ...typed, ...withNewer(typed, form({ full_name: "May", city: "Leeds" }, 2)) };
  expect(shownAnswers(newer, "personal_form")).toEqual({ full_name: "Mei Lin", city: "Leeds" });
  expect(newer.told).toEqual([]);
});

test("a save that replaced another device's word is told", () => {
  const typed = typing(side({}), { city: "Leeds" });
  const sent = { ...typed, said: withSaid(typed.said, "personal_form", { city: "Leeds" }) };
  const saved = { form: form({ city: "Leeds" }, 3), overwritten: { city: "York" } };
  const after = withSaved(sent, "personal_form", { city: "Leeds" }, saved);
  expect(after.unsaved).toEqual({});
  expect(after.told).toEqual([{ section: "personal_form", field: "city", here: "Leeds", there: "York", kept: "here" }]);
});

// Typing goes on while a save travels: its own earlier word comes back as what was replaced.
test("own earlier words are no news", () => {
  const said = withSaid({}, "personal_form", { city: "Le" });
  const sent = { ...typing(side({}), { city: "Leeds" }), said };
  const saved = { form: form({ city: "Leeds" }, 3), overwritten: { city: "Le" } };
  expect(withSaved(sent, "personal_form", { city: "Leeds" }, saved).told).toEqual([]);
});

test("a word of this device that another one replaced is told", () => {
  const mine = { ...side({ city: "Leeds" }), said: withSaid({}, "personal_form", { city: "Leeds" }) };
  const { told } = withNewer(mine, form({ city: "York" }, 2));
  expect(told).toEqual([{ section: "personal_form", field: "city", here: "Leeds", there: "York", kept: "there" }]);
  expect(withNewer(side({ city: "Leeds" }), form({ city: "York" }, 2)).told).toEqual([]);
});

test("the field under the hands keeps what it shows", () => {
  const held = { section: "personal_form", field: "city", value: "Leeds" } as const;
  const mine = { ...side({ city: "Leeds" }), held };
  const newer = { ...mine, ...withNewer(mine, form({ city: "York" }, 2)) };
  expect(shownAnswers(newer, "personal_form")).toEqual({ city: "Leeds" });
  expect(typing(newer, { city: "Leeds" }).unsaved).toEqual({});
  expect(typing(newer, { city: "Leeds 2" }).seen).toEqual({ personal_form: { city: "Leeds" } });
});

test("an older copy changes nothing", () => {
  const now = { ...side({ city: "Leeds" }), form: form({ city: "Leeds" }, 5) };
  expect(withNewer(now, form({}, 4)).form).toBe(now.form);
});

test("a saved field under the hands shows what was saved", () => {
  const held = { section: "personal_form", field: "city", value: undefined } as const;
  const typed = typing({ ...side({}), held }, { city: "Leeds" });
  const saved = { form: form({ city: "Leeds" }, 2), overwritten: {} };
  const after = { ...typed, ...withSaved(typed, "personal_form", { city: "Leeds" }, saved) };
  expect(shownAnswers(after, "personal_form")).toEqual({ city: "Leeds" });
});
