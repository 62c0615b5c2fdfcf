import { beforeEach, expect, test } from "vitest";
import { keepAnswers, keptAnswers } from "./keptAnswers.ts";

beforeEach(() => localStorage.clear());

// What could not be sent is there on the next visit, and gone once it was.
test("unsent answers are there on the next visit and go once sent", () => {
  const kept = { unsaved: { personal_form: { full_name: "Maya", same: true } }, seen: {} };
  keepAnswers(localStorage, "f-1", kept);
  expect(keptAnswers(localStorage, "f-1")).toEqual(kept);
  keepAnswers(localStorage, "f-1", { unsaved: {}, seen: {} });
  expect(localStorage.length).toBe(0);
});

test("an unreadable draft is cleared", () => {
  localStorage.setItem("latchkey.form.f-1", "{torn");
  expect(keptAnswers(localStorage, "f-1")).toEqual({ unsaved: {}, seen: {} });
  expect(localStorage.length).toBe(0);
});
