import type { Lang } from "../contract/wire.ts";

/** The language that everything is written in first, and that a missing text falls back to. */
export const FALLBACK = FALLBACK_LANGUAGE;

/** The languages of pages with their short names, from `i18n/languages.json`: those whose texts are complete. */
export const pageLanguages = (): readonly (readonly [tag: Lang, short: string])[] => PAGE_LANGUAGES;

/** The language that the server wrote this page in. */
export function pageLanguage(): Lang {
  const { lang } = document.documentElement;
  return PAGE_LANGUAGES.find(([tag]) => tag === lang)?.[0] ?? FALLBACK;
}
