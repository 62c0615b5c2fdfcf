import { expect, test } from "vitest";
import { IN_FORCE } from "./versions.ts";

type Texts = Record<string, string>;

/** The wordings that the server keeps for evidence, by file. */
const recorded = import.meta.glob<Record<string, Texts>>("../../../../api/platform/terms_of_use/*.json", {
  import: "default",
  eager: true,
});
const shown = import.meta.glob<Texts>("../../../../i18n/*/legal.json", { import: "default", eager: true });

const newest = Object.keys(recorded).sort().at(-1) ?? "";

test("terms page names the day of the newest version", () => {
  expect(newest).toMatch(new RegExp(`/${IN_FORCE.terms}\\.json$`));
});

for (const lang of ["en", "zh"])
  test(`terms page in ${lang} shows the newest version`, () => {
    const texts = Object.entries(recorded[newest]?.[lang] ?? {});
    expect(texts.length).toBeGreaterThan(10);
    for (const [key, text] of texts) expect(shown[`../../../../i18n/${lang}/legal.json`]?.[key]).toBe(text);
  });
