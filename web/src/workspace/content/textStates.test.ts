import { expect, test } from "vitest";
import { FALLBACK } from "../../i18n/languages.ts";
import type { TextLine } from "./contentCalls.ts";
import { buildRows, findRows, listAffected, listLanguages, stateOf } from "./textStates.ts";

const about: TextLine = {
  page: "about",
  language: "en",
  title: "Who we are",
  version: null,
  published_at: null,
  has_draft: false,
  is_older: false,
};

const published = (line: TextLine, version: number, day: string): TextLine => ({
  ...line,
  version,
  published_at: `2026-11-${day}T09:00:00Z`,
});

const inChinese = (line: TextLine): TextLine => ({ ...line, language: "zh" });

const terms: TextLine = { ...about, page: "terms", title: "Terms of use" };

test("rows begin with legal pages, with a line for each language", () => {
  const lines = [about, { ...inChinese(about), title: "关于我们" }, terms, inChinese(terms)];
  const rows = buildRows(lines, "zh");
  expect(rows.map(({ page, title }) => [page, title])).toEqual([
    ["terms", "Terms of use"],
    ["about", "关于我们"],
  ]);
  expect(listLanguages(lines)).toEqual(["en", "zh"]);
  expect(rows[1]?.lines.get("en")).toBe(about);
});

test("pages are found by an address or a title in any language", () => {
  const rows = buildRows([about, { ...inChinese(about), title: "关于我们" }, terms], "en");
  const found = (words: string | null) => findRows(rows, words).map(({ page }) => page);
  expect(found("/terms")).toEqual(["terms"]);
  expect(found("关于")).toEqual(["about"]);
  expect(found("WHO")).toEqual(["about"]);
  expect(found(null)).toEqual(["terms", "about"]);
  expect(found("nothing")).toEqual([]);
});

test("a text published before that of the first language is older", () => {
  const first = published(about, 4, "20");
  expect(stateOf(first, first)).toBe("published");
  expect(stateOf(published(inChinese(about), 2, "12"), first)).toBe("older");
  expect(stateOf(published(inChinese(about), 2, "21"), first)).toBe("published");
  expect(stateOf(published(inChinese(about), 2, "12"), about)).toBe("published");
  expect(stateOf(published(inChinese(about), 1, "12"), undefined)).toBe("published");
});

test("a language is missing of legal pages alone", () => {
  expect(stateOf(inChinese(about), published(about, 1, "20"))).toBe("shipped");
  expect(stateOf(inChinese(terms), terms)).toBe("shipped");
  expect(stateOf(inChinese(terms), published(terms, 1, "20"))).toBe("missing");
});

test("a publication in the first language reaches other readers", () => {
  const at = (page: string, language: string) => ({ page, language });
  const lines = [terms, inChinese(terms), about, published(inChinese(about), 1, "02")];
  expect(listAffected(lines, at("about", "en"), FALLBACK)).toEqual({ older: ["zh"], missing: [] });
  expect(listAffected(lines, at("terms", "en"), FALLBACK)).toEqual({ older: [], missing: ["zh"] });
  expect(listAffected(lines, at("terms", "zh"), FALLBACK)).toEqual({ older: [], missing: [] });
});
