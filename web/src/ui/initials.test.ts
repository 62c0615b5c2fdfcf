import { expect, test } from "vitest";
import { initials } from "./initials.tsx";

test.each([
  ["Priya Nair", "PN"],
  ["Mei Ling Chen", "MC"],
  ["priya.nair@example.org", "PN"],
  ["陈美玲", "陈"],
  ["cher", "C"],
  ["+447700900301", ""],
  ["", ""],
])("%s is %s", (name, letters) => {
  expect(initials(name)).toBe(letters);
});
