import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { I18N } from "./texts.ts";

interface Row {
  short: string;
  locale: string;
  complete: boolean;
}

interface Table {
  fallback: string;
  languages: Record<string, Row>;
}

/** Reads `languages.json` of a folder of languages. */
export const readTable = (folder = I18N): Table => JSON.parse(readFileSync(join(folder, "languages.json"), "utf8"));

/** The languages that pages are written in: those whose texts are complete. */
export const completeOf = ({ languages }: Table) => Object.entries(languages).filter(([, { complete }]) => complete);

/** For `define`: what the first load needs of the table, without the rest of it. */
export const constantsOf = (table: Table) => ({
  PAGE_LANGUAGES: JSON.stringify(completeOf(table).map(([tag, { short }]) => [tag, short])),
  PAGE_LOCALES: JSON.stringify(Object.fromEntries(completeOf(table).map(([tag, { locale }]) => [tag, locale]))),
  FALLBACK_LANGUAGE: JSON.stringify(table.fallback),
});

/**
 * Writes the complete languages in the place of `{pages}` in the globs of the texts that the server prints: paths of a glob are read before
 * constants are known.
 */
export function languageGlobs(): Plugin {
  const table = readTable();
  const tags = completeOf(table).map(([tag]) => tag);
  const pages = tags.length === 1 ? tags.join() : `{${tags.join()}}`;
  return {
    name: "latchkey-language-globs",
    enforce: "pre",
    transform: (code, id) => (/\/i18n\/\w+Texts\.ts$/.test(id) ? code.replaceAll("{pages}", pages) : null),
  };
}
