import { expect, test } from "vitest";

// That messages have one form and the same placeholders in all languages: web/build/texts.test.ts.

const files = import.meta.glob<Record<string, string>>(["../../../i18n/*/*.json", "!../../../i18n/*/forms.json"], {
  import: "default",
  eager: true,
});

function catalogue(lang: string): Map<string, string> {
  const entries = Object.entries(files).filter(([path]) => path.includes(`/i18n/${lang}/`));
  return new Map(entries.flatMap(([, texts]) => Object.entries(texts)));
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

test("every key starts with the name of its file", () => {
  // Words of the catalogue's own keys, such as amenities, stand in one file: `feature.wifi` in `inventory`.
  const ours = Object.entries(files).filter(([path]) => !path.endsWith("/inventory.json"));
  const astray = ours.flatMap(([path, texts]) => {
    const area = path.split("/").at(-1)?.replace(".json", "");
    return Object.keys(texts).filter((key) => !key.startsWith(`${area}.`));
  });
  expect(astray).toEqual([]);
});
