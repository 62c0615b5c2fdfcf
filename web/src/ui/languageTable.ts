import table from "../../../i18n/languages.json";
import type { Lang } from "../contract/wire.ts";

// Not in src/i18n: what lies there is in every first load.

/** Receipts and stories are written in more languages than pages, each named in itself. */
export const PAPERS: readonly (readonly [tag: string, name: string])[] = Object.entries(table.languages).map(
  ([tag, { name }]) => [tag, name],
);

/** The name of a language in itself. */
export const ownName = (lang: Lang): string => table.languages[lang].name;
