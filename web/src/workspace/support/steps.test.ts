import { expect, test } from "vitest";
import { FIRST_STEP, inDigits, minutesDoubt, spelled, stepsOf } from "./steps.ts";

test("steps are spelled as they are read", () => {
  for (const text of ["declined,declined,paid<60", "enquired,!answered<120", "declined:expired_card,booked"]) {
    expect(spelled(stepsOf(text))).toBe(text);
  }
  expect(stepsOf(null)).toEqual([FIRST_STEP]);
  expect(stepsOf("enquired,!answered<120")[1]).toEqual({ kind: "answered", code: "", within: "120", absent: true });
});

test("minutes are read as they are typed, or doubted", () => {
  const step = (within: string) => ({ ...FIRST_STEP, within });
  expect(spelled([inDigits(step("1,440"))])).toBe("enquired<1440");
  expect([minutesDoubt(step("")), minutesDoubt(step("60"))]).toEqual([null, null]);
  expect(minutesDoubt(step("1,5"))).toEqual({ kind: "too_fine" });
  expect(minutesDoubt(step("0"))).toEqual({ kind: "zero" });
  expect(minutesDoubt(step("1e3"))).toEqual({ kind: "no_number" });
});
