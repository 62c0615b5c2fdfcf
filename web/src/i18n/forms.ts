// By name, so that the first load carries no more of them than is shown in the browser.
import {
  date_day,
  date_month,
  date_short,
  date_time,
  day_one,
  decimal,
  distance,
  group,
  group_from,
  money,
  months,
  months_short,
  one,
} from "../../../i18n/en/forms.json";

const english = {
  one,
  decimal,
  group,
  group_from,
  money,
  distance,
  months,
  months_short,
  day_one,
  date_day,
  date_short,
  date_month,
  date_time,
};

/** How a language writes counts, numbers, money and days: `i18n/<language>/forms.json`, made from CLDR (decision 0041). */
export type Forms = typeof english & {
  /** Amounts with their currency's code; the first load's English goes without it (`workspace/amounts.ts`). */
  money_code?: string;
};

const known = new Map<string, Forms>();

/** Puts a language's forms in place. */
export function addForms(lang: string, forms: Forms): void {
  known.set(lang, forms);
}

/** The forms of a language; those that a missing text falls back to where they are not loaded. */
export const formsOf = (lang: string): Forms => known.get(lang) ?? english;
