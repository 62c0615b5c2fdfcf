import type { Lang } from "../contract/wire.ts";

/**
 * Numbers, money and dates without `Intl`: the server prints pages in an engine that has none, and both sides must
 * print the same characters or hydration fails (decision 0035).
 */

/** What money needs to be shown: never without its symbol. */
export interface MoneyLook {
  symbol: string;
  decimals: number;
}

/** `day` 4 Sep 2026 · `short` 4 Sep · `month` September 2026 · `time` 14:05 · `moment` 4 Sep 2026, 14:05 */
export type DateStyle = "day" | "short" | "month" | "time" | "moment";

const separators: Record<Lang, { group: string; decimal: string }> = {
  en: { group: ",", decimal: "." },
  zh: { group: ",", decimal: "." },
  es: { group: ".", decimal: "," },
  de: { group: ".", decimal: "," },
  fr: { group: "\u202f", decimal: "," },
};

const months: Record<Lang, readonly string[]> = {
  en: "January February March April May June July August September October November December".split(" "),
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(" "),
  fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(" "),
  de: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(" "),
  zh: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月".split(" "),
};

/** 12,480 */
export function number(n: number, lang: Lang): string {
  const [whole = "0", fraction] = String(Math.abs(n)).split(".");
  const { group, decimal } = separators[lang];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return `${n < 0 ? "−" : ""}${grouped}${fraction ? decimal + fraction : ""}`;
}

/** 4.7 and 5.0: a rating always shows its tenth. */
export function rating(value: number, lang: Lang): string {
  return value.toFixed(1).replace(".", separators[lang].decimal);
}

/** £1,250 or £1,250.50: pence are shown when there are any, or always with `exact`. */
export function money(minor: number, look: MoneyLook, lang: Lang, pence: "when any" | "exact" = "when any"): string {
  const unit = 10 ** look.decimals;
  const whole = Math.floor(Math.abs(minor) / unit);
  const rest = Math.abs(minor) % unit;
  const showRest = look.decimals > 0 && (rest !== 0 || pence === "exact");
  const fraction = showRest ? separators[lang].decimal + String(rest).padStart(look.decimals, "0") : "";
  return `${minor < 0 ? "−" : ""}${look.symbol}${number(whole, lang)}${fraction}`;
}

/** The parts of a date or moment as they are written; an instant is put on a clock before (`ownTime.ts`). */
export function date(iso: string, style: DateStyle, lang: Lang): string {
  const [, year = "", monthText = "", day = "", hour = "00", minute = "00"] =
    /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:T(\d{2}):(\d{2}))?/.exec(iso) ?? [];
  if (!year) return iso;
  const at = Number(monthText) - 1;
  const name = months[lang][at] ?? monthText;
  const dayNumber = String(Number(day || "1"));
  switch (style) {
    case "time":
      return `${hour}:${minute}`;
    case "month":
      return lang === "zh" ? `${year}年${name}` : `${name} ${year}`;
    case "short":
      return lang === "zh" ? `${name}${dayNumber}日` : `${dayNumber} ${name.slice(0, 3)}`;
    case "day":
      return lang === "zh" ? `${year}年${name}${dayNumber}日` : `${dayNumber} ${name.slice(0, 3)} ${year}`;
    case "moment":
      return `${date(iso, "day", lang)}${lang === "zh" ? " " : ", "}${hour}:${minute}`;
  }
}

/** `2026-09`, `09` or `9` as September. */
export function month(value: string, lang: Lang): string {
  const at = Number(value.includes("-") ? value.split("-")[1] : value);
  return months[lang][at - 1] ?? value;
}
