import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

interface Row {
  short: string;
  locale: string;
  complete: boolean;
}

const table: { fallback: string; languages: Record<string, Row> } = JSON.parse(
  readFileSync(new URL("../../i18n/languages.json", import.meta.url), "utf8"),
);

/** The languages that pages are written in: those whose texts are complete. */
const complete = Object.entries(table.languages).filter(([, { complete }]) => complete);

/** For `define`: what the first load needs of the table, without the rest of it. */
export const languageConstants = {
  PAGE_LANGUAGES: JSON.stringify(complete.map(([tag, { short }]) => [tag, short])),
  PAGE_LOCALES: JSON.stringify(Object.fromEntries(complete.map(([tag, { locale }]) => [tag, locale]))),
  FALLBACK_LANGUAGE: JSON.stringify(table.fallback),
};

/**
 * Writes the complete languages in the place of `{pages}` in the globs of texts, and the one that all fall back to in the place of
 * `{fallback}`: paths of a glob are read before constants are known, and a language that has some papers only would put their
 * paths into every first load.
 */
export function languageGlobs(): Plugin {
  const tags = complete.map(([tag]) => tag);
  const pages = tags.length === 1 ? tags.join() : `{${tags.join()}}`;
  return {
    name: "latchkey-language-globs",
    enforce: "pre",
    transform: (code, id) =>
      /\/i18n\/\w+Texts\.ts$/.test(id)
        ? code.replaceAll("{pages}", pages).replaceAll("{fallback}", table.fallback)
        : null,
  };
}
