import { beforeEach, expect, test } from "vitest";
import { isPartOneFilled, readSaved, writeSaved } from "./savedForm.ts";

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
