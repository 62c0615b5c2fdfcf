import type { Lang } from "../contract/wire.ts";
import { localeOf } from "./localeOf.ts";

/** The country's name in the reader's language; the code itself where the browser has no name for it. */
export function countryName(country: string, lang: Lang): string {
  try {
    return new Intl.DisplayNames([localeOf(lang)], { type: "region" }).of(country) ?? country;
  } catch {
    return country;
  }
}
