import { expect, test } from "vitest";
import { FIRST_STEP, spelled, stepsOf } from "./steps.ts";

test("steps are spelled as they are read", () => {
  for (const text of ["declined,declined,paid<60", "enquired,!answered<120", "declined:expired_card,booked"]) {
    expect(spelled(stepsOf(text))).toBe(text);
  }
  expect(stepsOf(null)).toEqual([FIRST_STEP]);
  expect(stepsOf("enquired,!answered<120")[1]).toEqual({ kind: "answered", code: "", within: "120", absent: true });
});
