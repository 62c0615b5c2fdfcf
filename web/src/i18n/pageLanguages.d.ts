// Written by `build/languageTable.ts` when the browser's code is built, from `i18n/languages.json`.

/** The complete languages. */
declare const PAGE_LANGUAGES: readonly (readonly [tag: import("../contract/wire.ts").Lang, short: string])[];
/** Names of each of them for the browser's own `Intl`. */
declare const PAGE_LOCALES: Readonly<Record<string, string>>;
/** The one that a missing text falls back to. */
declare const FALLBACK_LANGUAGE: import("../contract/wire.ts").Lang;

/** Written by `build/pageTexts.ts`: the languages of an application, each with the map of its files. */
declare module "virtual:texts/*" {
  export const languages: import("./catalogue.ts").OfferedLanguages;
}
