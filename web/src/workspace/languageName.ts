import { localeOf } from "../ui/localeOf.ts";

/** A language by its name in the reader's: its tag where the browser has no name for it. */
export function languageName(tag: string, lang: string): string {
  try {
    return new Intl.DisplayNames([localeOf(lang)], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
