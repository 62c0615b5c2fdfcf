// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

/** Tags and locales of the table in quotes, where code would choose by language. */
const named = new RegExp(
  Object.entries<{ locale: string }>(languages())
    .map(([tag, { locale }]) => `["'\`](${tag}|${locale})["'\`]`)
    .join("|"),
);

test("no code of pages or of the build names a language", () => {
  const web = join(import.meta.dirname, "..");
  const files = ["src", "build", "browser"].flatMap((folder) =>
    readdirSync(join(web, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  // A test chooses the languages that it looks at; pictures and measurements are tests too.
  const isTest = /\.(test|measure)\.tsx?$|\/testing\/|contract\/|browser\/stagings\.ts$/;
  const code = files.filter((file) => /\.(tsx?|mjs)$/.test(file) && !isTest.test(file));
  expect(code.length).toBeGreaterThan(400);
  const lines = code.flatMap((file) =>
    readFileSync(join(web, file), "utf8")
      .split("\n")
      .filter((line) => named.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  // Add what the code needs to know to i18n/languages.json or to the language's forms.
  expect(lines).toEqual([]);
});
