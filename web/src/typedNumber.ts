/**
 * Numbers as people type them: `1,250.50`, `1.250,50`, `1 250,5`. What can be read in two ways is refused, never guessed, and no sign is
 * dropped to make a number of the rest (decision 0033). `domain/src/typed_number.rs` is the same reader on the server;
 * `domain/cases/typed_numbers.json` holds the cases that both are tested with.
 */

/** What an amount is counted in; a plain number has no currency. */
export interface Counted {
  currency: string | null;
  /** Digits after the decimal sign. */
  decimals: number;
}

/** A whole number: a sign before three digits can only be between thousands. */
export const WHOLE: Counted = { currency: null, decimals: 0 };

/** Why a number is not taken; `write` holds what is read in one way alone. */
export type NumberDoubt =
  | { kind: "no_number" | "too_fine" | "other_sign" | "zero" }
  | { kind: "two_ways"; write: readonly string[] };

/** The number in its smallest steps (minor units of money), or the doubt. */
export type Reading = { number: number } | { doubt: NumberDoubt };

/** The signs that amounts of a currency carry (`Currency::symbol` on the server). */
export const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
  USD: "$",
  GBP: "£",
  EUR: "€",
  CAD: "CA$",
  INR: "₹",
  AUD: "AU$",
  AED: "AED",
  SGD: "S$",
  NZD: "NZ$",
  KRW: "₩",
  DKK: "kr",
  JPY: "¥",
  KWD: "KWD",
  BHD: "BHD",
  JOD: "JOD",
};

const DOLLARS: ReadonlySet<string> = new Set(["USD", "CAD", "AUD", "SGD", "NZD"]);

/** Reads a number of at least nought. It may carry the currency's own sign or code. */
export function readNumber(typed: string, counted: Counted): Reading {
  const [, before = "", digits = "", after = ""] = /^(.*?)([0-9](?:.*[0-9])?)(.*)$/su.exec(narrow(typed)) ?? [];
  if (digits === "") return refuse("no_number");
  const fault = affixDoubt(before.trim(), counted) ?? affixDoubt(after.trim(), counted);
  if (fault !== null) return refuse(fault);
  const sign = decimalSign(digits, counted.decimals);
  if (sign === "two_ways") return { doubt: { kind: "two_ways", write: bothReadings(digits, counted.decimals) } };
  return sign === "no_number" ? refuse(sign) : readScaled(digits, sign, counted.decimals);
}

/** The same above nought, as what moves money has to be. */
export function readAmount(typed: string, counted: Counted): Reading {
  const reading = readNumber(typed, counted);
  return "number" in reading && reading.number === 0 ? refuse("zero") : reading;
}

/** Reads a whole number. */
export function readCount(typed: string): Reading {
  return readNumber(typed, WHOLE);
}

/** The number that was read; null where it is doubted. */
export function numberOf(reading: Reading): number | null {
  return "number" in reading ? reading.number : null;
}

/** An amount as one types it so that it is read in one way alone: `1250`, `2.50`, `12.3450` where the currency has three decimals. */
export function spellAmount(minor: number, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  if (fraction === "") return whole;
  const padded = fraction.padEnd(Math.min(decimals, 2), "0");
  return isInThousands(whole, padded) ? `${whole}.${padded}0` : `${whole}.${padded}`;
}

function refuse(kind: Exclude<NumberDoubt["kind"], "two_ways">): Reading {
  return { doubt: { kind } };
}

/** Wide digits and signs, as Chinese and Japanese keyboards write them, in the usual ones. */
function narrow(text: string): string {
  const wide = text.replace(/[\uff01-\uff5e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));
  return wide.replaceAll("\u3000", " ").replaceAll("￡", "£").replaceAll("￥", "¥").replaceAll("￦", "₩");
}

/** What is wrong with the text before or after the digits. */
function affixDoubt(affix: string, { currency }: Counted): "other_sign" | "no_number" | null {
  if (affix === "") return null;
  if (currency === null) return "no_number";
  const code = affix.toUpperCase();
  const isOwn = affix === CURRENCY_SIGNS[currency] || code === currency || (affix === "$" && DOLLARS.has(currency));
  if (isOwn) return null;
  return /[£€$₹₩¥]/.test(affix) || code in CURRENCY_SIGNS ? "other_sign" : "no_number";
}

/** The decimal sign; empty where all signs stand between thousands. */
function decimalSign(digits: string, decimals: number): "" | "." | "," | "two_ways" | "no_number" {
  const [points, commas] = [digits.split(".").length - 1, digits.split(",").length - 1];
  if (points + commas === 0) return "";
  const last = digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ",";
  if (points + commas === 1) {
    const [whole = "", fraction = ""] = digits.split(last);
    if (!isInThousands(whole, fraction)) return last;
    return decimals === 0 ? "" : "two_ways";
  }
  if (points === 0 || commas === 0) return "";
  return (last === "." ? points : commas) === 1 ? last : "no_number";
}

/** Whether a sign between them could be one between thousands. */
function isInThousands(whole: string, fraction: string): boolean {
  return fraction.length === 3 && /^[1-9][0-9]{0,2}$/.test(whole);
}

function readScaled(digits: string, sign: "" | "." | ",", decimals: number): Reading {
  const at = sign === "" ? -1 : digits.indexOf(sign);
  const fraction = at < 0 ? "" : digits.slice(at + 1);
  const whole = joinGroups(at < 0 ? digits : digits.slice(0, at));
  if (whole === null || !/^[0-9]*$/.test(fraction)) return refuse("no_number");
  const kept = fraction.replace(/0+$/, "");
  if (kept.length > decimals) return refuse("too_fine");
  const number = Number(whole + kept.padEnd(decimals, "0"));
  return Number.isSafeInteger(number) ? { number } : refuse("no_number");
}

/** The digits of `1,250,000`, of `1 250 000` and of India's `12,50,000`; null for other groups. */
function joinGroups(whole: string): string | null {
  const text = whole.replace(/[\u00a0\u2009\u202f'’]/g, " ");
  if (/^[0-9]+$/.test(text)) return text;
  const mark = /[^0-9]/.exec(text)?.[0] ?? "";
  if (![".", ",", " "].includes(mark)) return null;
  const groups = text.split(mark);
  const sizes = groups.map(({ length }) => length);
  const [first = 0, ...rest] = sizes;
  const between = rest.slice(0, -1);
  const isGrouped = (size: number) => first <= size && between.every((length) => length === size);
  const isWellFormed = rest.at(-1) === 3 && (isGrouped(3) || isGrouped(2));
  return isWellFormed && groups.every((group) => /^[0-9]+$/.test(group)) ? groups.join("") : null;
}

/** Each reading that is an amount, as one types it without doubt. */
function bothReadings(digits: string, decimals: number): string[] {
  const readings = [readScaled(digits, "", decimals), readScaled(digits, digits.includes(".") ? "." : ",", decimals)];
  return readings.flatMap((reading) => ("number" in reading ? [spellAmount(reading.number, decimals)] : []));
}
