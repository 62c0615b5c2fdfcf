import type { Lang } from "../contract/wire.ts";
import { FALLBACK } from "../i18n/languages.ts";
import { localeOf } from "./localeOf.ts";

/**
 * The name of the reader's own clock, such as 中国标准时间; a home's clock has its city's name (`lead.tour_zone`, and the server's
 * `HomeClock`). It is null in the language that a missing text falls back to: there a text says the city, because the zone's own key has it
 * in that language (`cityOf`).
 */
export function zoneName(timezone: string, lang: Lang): string | null {
  if (lang === FALLBACK) return null;
  const locale = localeOf(lang);
  const parts = new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName: "longGeneric" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? null;
}
