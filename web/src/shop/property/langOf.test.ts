import { expect, test } from "vitest";
import { langOf } from "./langOf.ts";

test("a text is marked by the language it is in, others are not", () => {
  const home = { foreign_texts: [{ text: "A brick building", lang: "en" }] };
  expect(langOf(home, "A brick building")).toBe("en");
  expect(langOf(home, "一栋砖楼")).toBeUndefined();
  expect(langOf({ foreign_texts: [] }, "A brick building")).toBeUndefined();
});
