import { FALLBACK } from "../../../i18n/languages.ts";

/** A name in each language that the map's own data have it in. */
export type MapNames = Readonly<Record<string, string>>;

/** Reads the columns of a line's names; the first line of the data says which language each is in. */
export const readNames = (tags: readonly string[], names: readonly string[]): MapNames =>
  Object.fromEntries(tags.map((tag, at) => [tag, names[at] ?? ""]));

/** The name in the reader's language, or in the one that all fall back to. */
export const nameIn = (names: MapNames, lang: string): string => names[lang] || names[FALLBACK] || "";
