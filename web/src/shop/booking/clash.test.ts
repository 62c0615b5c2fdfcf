import { expect, test } from "vitest";
import { compareSection, withTheirs } from "./clash.ts";

const seen = { full_name: "Mei Lin", course: "Law" };

test("what only the other tab changed is taken over", () => {
  const there = { ...seen, course: "Physics" };
  const here = { ...seen, full_name: "Mei Lin Chen" };
  expect(compareSection("personal_form", { seen, here, there })).toEqual({
    answers: { full_name: "Mei Lin Chen", course: "Physics" },
    clashes: [],
  });
});

// What both tabs changed is named, and nothing of either is lost until somebody chooses.
test("fields changed in both tabs are named and wait for a choice", () => {
  const here = { ...seen, course: "Medicine" };
  const there = { ...seen, course: "Physics" };
  const { answers, clashes } = compareSection("personal_form", { seen, here, there });
  expect(answers).toEqual(here);
  expect(clashes).toEqual([{ section: "personal_form", field: "course", here: "Medicine", there: "Physics" }]);
  expect(withTheirs({ personal_form: answers }, clashes)).toEqual({ personal_form: there });
});

test("the same words in both tabs are no clash", () => {
  const both = { ...seen, course: "Physics" };
  expect(compareSection("personal_form", { seen, here: both, there: both }).clashes).toEqual([]);
});
