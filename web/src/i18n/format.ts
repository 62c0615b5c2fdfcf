import type { Lang } from "../contract/wire.ts";
import { formsOf } from "./forms.ts";

/**
 * Numbers, money and dates without `Intl`: the server prints pages in an engine that has none, and both sides must
 * print the same characters or hydration fails (decision 0035). How each language writes them is data (decision 0041).
 */

/** What money needs to be shown: never without its symbol. */
export interface MoneyLook {
  symbol: string;
  decimals: number;
}

/** `day` 4 Sep 2026 · `short` 4 Sep · `month` September 2026 · `time` 14:05 · `moment` 4 Sep 2026, 14:05 */
export type DateStyle = "day" | "short" | "month" | "time" | "moment";

/** 12,480 */
export function number(n: number, lang: Lang): string {
  const [whole = "0", fraction] = String(Math.abs(n)).split(".");
  const { group, decimal, group_from } = formsOf(lang);
  const grouped = whole.length < group_from ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
  return `${n < 0 ? "−" : ""}${grouped}${fraction ? decimal + fraction : ""}`;
}

/** 4.7 and 5.0: a rating always shows its tenth. */
export function rating(value: number, lang: Lang): string {
  return value.toFixed(1).replace(".", formsOf(lang).decimal);
}

/** £1,250 or £1,250.50: pence are shown when there are any, or always with `exact`. */
export function money(minor: number, look: MoneyLook, lang: Lang, pence: "when any" | "exact" = "when any"): string {
  const forms = formsOf(lang);
  const unit = 10 ** look.decimals;
  const whole = Math.floor(Math.abs(minor) / unit);
  const rest = Math.abs(minor) % unit;
  const showRest = look.decimals > 0 && (rest !== 0 || pence === "exact");
  const fraction = showRest ? forms.decimal + String(rest).padStart(look.decimals, "0") : "";
  // Letters such as kr stand apart from the number. A symbol such as $ means something to `replace` unless a function gives it.
  const symbol = look.symbol.replace(/\w$/, "$&\u00a0");
  const amount = forms.money.replace("#", number(whole, lang) + fraction).replace("¤", () => symbol);
  return `${minor < 0 ? "−" : ""}${amount.trim()}`;
}

/** The parts of a date or moment as they are written, by another pattern if one is given; an instant is put on a clock before (`ownTime.ts`). */
export function date(iso: string, style: DateStyle, lang: Lang, pattern?: string): string {
  const [, year = "", monthText = "", dayText = "1", hour = "00", minute = "00"] =
    /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:T(\d{2}):(\d{2}))?/.exec(iso) ?? [];
  if (!year) return iso;
  const time = `${hour}:${minute}`;
  if (style === "time") return time;
  const forms = formsOf(lang);
  if (style === "moment") return date(iso, "day", lang) + forms.date_time + time;
  const [month, day] = [Number(monthText), Number(dayText)];
  return (pattern ?? forms[`date_${style}`]).replace(/'([^']*)'|y|M+|d/g, (token, quoted?: string) => {
    if (token === "y") return year;
    if (token === "d") return day === 1 ? forms.day_one : String(day);
    if (token === "M") return String(month);
    return quoted ?? (token === "MMM" ? forms.months_short : forms.months)[month - 1] ?? monthText;
  });
}

/** `2026-09`, `09` or `9` as September, or as Sep. */
export function month(value: string, lang: Lang, width: "long" | "short" = "long"): string {
  const at = Number(value.includes("-") ? value.split("-")[1] : value);
  const { months, months_short } = formsOf(lang);
  return (width === "long" ? months : months_short)[at - 1] ?? value;
}

/** Whether a day is typed with its year first: as the language writes it. */
export const isYearFirst = (lang: string): boolean => formsOf(lang).date_day.startsWith("y");
