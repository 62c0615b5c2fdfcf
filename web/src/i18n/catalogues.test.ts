import { expect, test } from "vitest";
import { placeholders } from "./message.ts";

const files = import.meta.glob<Record<string, string>>("../../../i18n/*/*.json", { import: "default", eager: true });

function catalogue(lang: string): Map<string, string> {
  const entries = Object.entries(files).filter(([path]) => path.includes(`/i18n/${lang}/`));
  return new Map(entries.flatMap(([, texts]) => Object.entries(texts)));
}

const english = catalogue("en");

for (const lang of ["zh"]) {
  const other = catalogue(lang);

  // Every English text has one in …, and the other way round.
  test(`English and ${lang} have the same texts`, () => {
    expect([...english.keys()].filter((key) => !other.has(key))).toEqual([]);
    expect([...other.keys()].filter((key) => !english.has(key))).toEqual([]);
  });

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
  const latin = /[\u4e00-\u9fff][,:;?!]|[,:;?!][\u4e00-\u9fff]/;
  // Search engines read keywords between plain commas.
  const sentences = [...catalogue("zh")].filter(([key]) => !key.startsWith("inventory.keywords"));
  expect(sentences.filter(([, text]) => latin.test(text)).map(([key]) => key)).toEqual([]);
});

/** Languages that have some topics only, those whole. */
for (const lang of ["es", "fr", "de"]) {
  test(`topics in ${lang} are whole`, () => {
    const own = Object.entries(files).filter(([path]) => path.includes(`/i18n/${lang}/`));
    expect(own.length).toBeGreaterThan(0);
    const sign = (texts: Record<string, string>) =>
      Object.entries(texts).map(([key, text]) => [key, [...placeholders(text)].sort().join()]);
    for (const [path, texts] of own) {
      const model = files[path.replace(`/i18n/${lang}/`, "/i18n/en/")] ?? {};
      expect(Object.fromEntries(sign(texts))).toEqual(Object.fromEntries(sign(model)));
    }
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
