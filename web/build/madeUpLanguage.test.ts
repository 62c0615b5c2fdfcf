// @vitest-environment node
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { constantsOf, readTable } from "./languageTable.ts";
import { addMadeUpLanguage, MADE_UP, markText } from "./madeUpLanguage.mjs";
import { findFaults, I18N, readTexts } from "./texts.ts";

const copy = mkdtempSync(join(tmpdir(), "latchkey-i18n-"));

beforeAll(() => {
  cpSync(I18N, copy, { recursive: true });
  addMadeUpLanguage(copy);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test("a folder and a line add a language", () => {
  expect(findFaults(readTexts(copy))).toEqual([]);
  const tags = readTexts(copy).others.map(({ tag }) => tag);
  expect(tags).toEqual([MADE_UP, ...readTexts().others.map(({ tag }) => tag)]);
  const [pages, before] = [copy, I18N].map((folder) => constantsOf(readTable(folder)).PAGE_LANGUAGES);
  expect(pages).toBe(before?.replace("],", `],["${MADE_UP}","[MÜ]"],`));
  // The table has one language a line, which the server's build and a law read.
  const lines = [copy, I18N].map((folder) => readFileSync(join(folder, "languages.json"), "utf8").split("\n"));
  expect(lines[0]?.filter((line) => !lines[1]?.includes(line))).toHaveLength(1);
});

test("every text of the made-up language is marked and longer", () => {
  const { fallback, others } = readTexts(copy);
  const madeUp = others.find(({ tag }) => tag === MADE_UP);
  let marked = 0;
  for (const [area, texts] of fallback.areas) {
    for (const [key, text] of texts) {
      const said = madeUp?.areas.get(area)?.get(key) ?? "";
      if (said === text) continue;
      marked += 1;
      expect([key, /^\[.*\]$/s.test(said), said.length >= text.length * 1.4]).toEqual([key, true, true]);
    }
  }
  expect(marked).toBeGreaterThan(4_000);
});

test("placeholders, plurals and what has no letter are kept", () => {
  expect(markText("{n, plural, =0 {None} one {# home} other {# homes}} in {city}")).toMatch(
    /^\[\{n, plural, =0 \{Ñöñé\} one \{# hömé\} other \{# hömés\}\} íñ \{city\} löñgér .*\]$/,
  );
  expect(markText("{city}, {country}")).toBe("{city}, {country}");
  expect(markText("Book")).toBe("[Böök l]");
});
