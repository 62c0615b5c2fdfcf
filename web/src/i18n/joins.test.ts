import { expect, test } from "vitest";

const sources = import.meta.glob<string>("../{shop,workspace,ui}/**/*.tsx", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A comma between two values in a template, or between the members of a list. */
const WRITTEN_COMMA = /\}, \$\{|\.join\(", "\)/;

/** GLOSSARY.md §2: the marks between words are a language's own, and come from its texts. */
test("no component writes a comma between words itself", () => {
  const components = Object.entries(sources).filter(([file]) => !/\.(test|measure)\./.test(file));
  expect(components.length).toBeGreaterThan(100);
  expect(components.filter(([, source]) => WRITTEN_COMMA.test(source)).map(([file]) => file)).toEqual([]);
});

/** GLOSSARY.md §3: an amount and its code are put together by the language's form, in `writeMoney` alone. */
test("no component puts a currency's code to an amount", () => {
  const joined = /[dD]ecimals( \?\? \d)?\)\} \$?\{[^}]*[cC]urrency|[cC]urrency[^}]*\} \$?\{exact\(/;
  expect(joined.test("{exact(line.amount_minor, line.decimals)} {line.currency}")).toBe(true);
  expect(Object.entries(sources).flatMap(([file, source]) => (joined.test(source) ? [file] : []))).toEqual([]);
});

/** GLOSSARY.md §2: a space between two sentences is set by `joinSentences` and `spaceAfter`, as their language sets it. */
test("no component sets a space between two texts", () => {
  const spaced = /\)\}(<\/\w+>)? \{t\(/;
  expect(spaced.test('<strong>{t("x.title")}</strong> {t("x.text")}')).toBe(true);
  expect(Object.entries(sources).flatMap(([file, source]) => (spaced.test(source) ? [file] : []))).toEqual([]);
});

const texts = import.meta.glob<Record<string, string>>("../../../i18n/*/*.json", { import: "default", eager: true });

/** GLOSSARY.md §2: a day written in Han ends with one, and no space stands between two of them. */
test("no Han follows a day after a space", () => {
  const all = Object.values(texts).flatMap((area) => Object.entries(area));
  expect(all.length).toBeGreaterThan(1000);
  expect(all.filter(([, text]) => /\{(date|day)\} \p{Script=Han}/u.test(String(text))).map(([key]) => key)).toEqual([]);
});
