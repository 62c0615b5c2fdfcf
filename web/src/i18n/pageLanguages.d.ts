/** Written by `build/languageTable.ts` when the browser's code is built: the complete languages of `i18n/languages.json`. */
declare const PAGE_LANGUAGES: readonly (readonly [tag: import("../contract/wire.ts").Lang, short: string])[];
