import { date_weekday, date_weekday_long, date_weekday_short, days, days_short } from "../../../i18n/en/forms.json";
import type { Lang } from "../contract/wire.ts";
import { date } from "../i18n/format.ts";
import { formsOf } from "../i18n/forms.ts";

// In the workspace alone: pages of the shop name no weekday in their first load, which these forms would be part of.
const english = { date_weekday, date_weekday_long, date_weekday_short, days, days_short };

/** A language's own forms have these too, once they are loaded. */
const formsWithDays = (lang: Lang): typeof english => ({ ...english, ...formsOf(lang) });

/** `weekday` Fri 13 Nov 2026 · `weekday_long` Friday 13 November · `weekday_short` Fri 13 Nov */
export type WeekdayStyle = "weekday" | "weekday_long" | "weekday_short";

/** A day with its weekday, as the language writes it. */
export function dateWithWeekday(iso: string, style: WeekdayStyle, lang: Lang): string {
  const forms = formsWithDays(lang);
  // Sunday is the first day of `Date` and the last of the table.
  const at = (new Date(`${iso.slice(0, 10)}T12:00:00Z`).getUTCDay() + 6) % 7;
  const name = (letters: string) => (letters.length > 3 ? forms.days : forms.days_short)[at] ?? "";
  const pattern = forms[`date_${style}`].replace(/E+/, (letters) => `'${name(letters)}'`);
  return date(iso, "day", lang, pattern);
}
