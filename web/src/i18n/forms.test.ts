import { expect, test } from "vitest";
import table from "../../../i18n/forms.cases.json";
import type { Lang } from "../contract/wire.ts";
import { date, money, number } from "./format.ts";
import { fill } from "./message.ts";

// GLOSSARY.md §3 and §4; the server's tests read the same table. Long days and books' amounts are the server's alone.
const languages: Lang[] = ["en", "es", "fr", "de", "zh"];
const pounds = { symbol: "£", decimals: 2 };

function write(is: string, of: string | number, lang: Lang): string | null {
  switch (is) {
    case "number":
      return number(Number(of), lang);
    case "money":
      return money(Number(of), pounds, lang);
    case "plural":
      return fill("{n, plural, one {one} other {other}}", { n: of }, lang);
    case "day":
    case "short":
    case "month":
    case "moment":
      return date(String(of), is, lang);
    default:
      return null;
  }
}

for (const lang of languages) {
  test(`numbers, money and days are written as in ${lang}`, () => {
    const shown = table.map((row) => write(row.is, row.of, lang));
    expect(shown).toEqual(table.map((row, at) => (shown[at] === null ? null : row[lang])));
  });
}

test("a text that a language lacks has English plurals", async () => {
  const { addTexts, text } = await import("./catalogue.ts");
  addTexts("en", { "x.homes": "{n, plural, one {# home} other {# homes}}" });
  expect(text("zh", "x.homes", { n: 1 })).toBe("1 home");
  expect(text("fr", "x.homes", { n: 0 })).toBe("0 homes");
});
