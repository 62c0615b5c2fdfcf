// @vitest-environment node
import { expect, test } from "vitest";
import { formsText, languages, overrides, sumOf, writtenSums } from "./languages.mjs";

test("the forms of languages are as the generator wrote them", () => {
  const tags = Object.keys(languages());
  const sums = Object.fromEntries(tags.map((tag) => [tag, sumOf(tag, formsText(tag))]));
  // Overrides are changed in languages.overrides.json; then `make languages`.
  expect(sums).toEqual(writtenSums());
});

test("every override of CLDR has its reason and holds", () => {
  for (const [tag, own] of Object.entries<Record<string, { why: string; value: unknown }>>(overrides())) {
    const forms = JSON.parse(formsText(tag));
    for (const [key, { why, value }] of Object.entries(own)) {
      expect(why.length).toBeGreaterThan(20);
      expect(forms[key]).toEqual(value);
    }
  }
});

test("a file that was edited by hand has another sum", () => {
  const text = formsText("en");
  expect(sumOf("en", text.replace("Sep", "Sept"))).not.toBe(sumOf("en", text));
});
