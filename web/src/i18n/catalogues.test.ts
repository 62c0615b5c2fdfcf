import { expect, test } from "vitest";
import type { Forms } from "./forms.ts";
import { pageLanguages } from "./languages.ts";
import { placeholders, pluralsOf } from "./message.ts";

const files = import.meta.glob<Record<string, string>>(["../../../i18n/*/*.json", "!../../../i18n/*/forms.json"], {
  import: "default",
  eager: true,
});
const forms = import.meta.glob<Forms>("../../../i18n/*/forms.json", { import: "default", eager: true });

function catalogue(lang: string): Map<string, string> {
  const entries = Object.entries(files).filter(([path]) => path.includes(`/i18n/${lang}/`));
  return new Map(entries.flatMap(([, texts]) => Object.entries(texts)));
}

const english = catalogue("en");

const whole: string[] = pageLanguages().map(([tag]) => tag);

for (const lang of whole.filter((tag) => tag !== "en")) {
  const other = catalogue(lang);

  // That both have the same texts is a law: tests/laws/src/texts.rs.
  test(`the texts in ${lang} use the English placeholders`, () => {
    const differing = [...english].filter(([key, text]) => {
      const theirs = other.get(key);
      return theirs !== undefined && [...placeholders(text)].sort().join() !== [...placeholders(theirs)].sort().join();
    });
    expect(differing.map(([key]) => key)).toEqual([]);
  });
}

// One screen shows texts of several areas: refusals, mails and pages say 您 alike (CONTRIBUTING.md, Text).
test("Chinese texts address everyone as 您", () => {
  expect([...catalogue("zh")].filter(([, text]) => /[你妳]/.test(text))).toEqual([]);
});

test("Chinese sentences have Chinese marks", () => {
  // Beside a placeholder or behind a space, too: most values are Han, and a full-width mark has no space beside it.
  const latin = /[\u4e00-\u9fff}] ?[,:;?!()]|[,:;?!()] ?[\u4e00-\u9fff{]|[\u4e00-\u9fff}] [，。：；！？、（）]/;
  const heads = /\{\w+, plural,|“[^”]*”/g;
  // Search engines read keywords between plain commas.
  const sentences = [...catalogue("zh")].filter(([key]) => !key.startsWith("inventory.keywords"));
  expect(sentences.filter(([, text]) => latin.test(text.replace(heads, ""))).map(([key]) => key)).toEqual([]);
  for (const wrong of ["时间 (UTC)", "{city}, {name}", "步骤 {step}: 无", "共 {n} 。"]) expect(wrong).toMatch(latin);
});

/** Languages that have some topics only; that those are whole is a law beside the other one. */
const further = new Set(Object.keys(files).map((path) => path.split("/").at(-2) ?? ""));
for (const lang of whole) further.delete(lang);

for (const lang of further) {
  test(`topics in ${lang} use the English placeholders`, () => {
    const differing = [...catalogue(lang)].filter(
      ([key, text]) =>
        [...placeholders(text)].sort().join() !== [...placeholders(english.get(key) ?? "")].sort().join(),
    );
    expect(differing.map(([key]) => key)).toEqual([]);
  });
}

test("every key starts with the name of its file", () => {
  // Words of the catalogue's own keys, such as amenities, stand in one file: `feature.wifi` in `inventory`.
  const ours = Object.entries(files).filter(([path]) => !path.endsWith("/inventory.json"));
  const astray = ours.flatMap(([path, texts]) => {
    const area = path.split("/").at(-1)?.replace(".json", "");
    return Object.keys(texts).filter((key) => !key.startsWith(`${area}.`));
  });
  expect(astray).toEqual([]);
});

// GLOSSARY.md §4: a form that a language lacks would be shown as nothing, one that it does not have is never shown.
test("every message has the plural forms of its language", () => {
  const all = Object.entries(files).flatMap(([path, texts]) =>
    Object.entries(texts).map(([key, text]) => ({ lang: path.split("/").at(-2) ?? "", key, text })),
  );
  const broken = all.filter(({ lang, text }) => {
    const needed = forms[`../../../i18n/${lang}/forms.json`]?.one.length === 0 ? "other" : "one,other";
    const plurals = pluralsOf(text);
    return !plurals?.every((has) => has.filter((form) => !form.startsWith("=")).join() === needed);
  });
  expect(broken.map(({ lang, key }) => `${lang} ${key}`)).toEqual([]);
});

// French 0 takes `one` as well: a literal 1 in it would be wrong.
test("where several counts take one, the form shows the count", () => {
  const literal = Object.entries(files).flatMap(([path, texts]) => {
    const lang = path.split("/").at(-2) ?? "";
    const several = (forms[`../../../i18n/${lang}/forms.json`]?.one.length ?? 0) > 1;
    return Object.entries(texts).flatMap(([key, text]) =>
      several && /one \{[^#}]*\d/.test(text) ? [`${lang} ${key}`] : [],
    );
  });
  expect(literal).toEqual([]);
});
