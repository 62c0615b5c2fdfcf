import { beforeEach, expect, test } from "vitest";
import { isPartOneFilled, readSaved, stillMeant, writeSaved } from "./savedForm.ts";

beforeEach(() => localStorage.clear());

test("what was typed comes back under the specification's names", () => {
  writeSaved(localStorage, { "user_details/name": "Maya Ramos", university: "UCL" });
  writeSaved(localStorage, { "user_details/email": "maya@example.org" });
  expect(readSaved(localStorage)).toEqual({
    "user_details/name": "Maya Ramos",
    "user_details/email": "maya@example.org",
    university: "UCL",
  });
  expect(JSON.parse(localStorage.getItem("lead_form_part_two") ?? "")).toEqual({ university: "UCL" });
});

test.each(["{broken", "[1]", "null", '"text"'])(
  "unreadable storage (%s) is cleared and the form starts empty",
  (text) => {
    localStorage.setItem("lead_form_part_one", text);
    expect(readSaved(localStorage)).toEqual({});
    expect(localStorage.getItem("lead_form_part_one")).toBeNull();
  },
);

test("part one counts as filled with name, e-mail and phone", () => {
  expect(isPartOneFilled({ "user_details/name": "M", "user_details/email": "m@x.org" })).toBe(false);
  expect(
    isPartOneFilled({ "user_details/name": "M", "user_details/email": "m@x.org", "user_details/phone": "612" }),
  ).toBe(true);
});

// A month that has passed since the last visit is forgotten, a coming one and a quarter are not.
test("a past month of the saved form is dropped, a coming one kept", () => {
  const today = "2026-11-22";
  const saved = (move_in_date: string) => stillMeant({ university: "UCL", move_in_date }, today);
  expect(saved("2026-10")).toEqual({ university: "UCL" });
  for (const meant of ["2026-11", "2027-07", "january_to_march"]) expect(saved(meant).move_in_date).toBe(meant);
  expect(stillMeant({ university: "UCL" }, today)).toEqual({ university: "UCL" });
});
