import { money_code } from "../../../i18n/en/forms.json";
import { formsOf } from "../i18n/forms.ts";
import { pageLanguage } from "../i18n/languages.ts";

/** Currency and decimals of an amount; a payment that is not known has no currency. */
interface CountedIn {
  decimals: number;
  currency?: string | null | undefined;
}

/**
 * The number of an amount, never rounded: `1,036.27`, `−259.07` with the marks of the page's language; currencies without minor units have no
 * decimals. For columns and fields whose currency is written beside them; everywhere else `writeMoney`.
 */
export function exact(minor: number, decimals: number): string {
  return `${minor < 0 ? "−" : ""}${digitsOf(minor, decimals)}`;
}

/** An amount as books write it (GLOSSARY.md §3), the sign before its currency as on papers: `GBP 259.07`, `−GBP 259.07`. */
export function writeMoney(minor: number, counted: CountedIn): string {
  return `${minor < 0 ? "−" : ""}${withCode(digitsOf(minor, counted.decimals), counted)}`;
}

/** The same with a plus before money that came in: `+GBP 259.07`. */
export function writeSigned(minor: number, counted: CountedIn): string {
  return `${minor > 0 ? "+" : ""}${writeMoney(minor, counted)}`;
}

function digitsOf(minor: number, decimals: number): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const { group, decimal, group_from } = formsOf(pageLanguage());
  const grouped = whole.length < group_from ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
  return decimals === 0 ? grouped : grouped + decimal + digits.slice(-decimals);
}

function withCode(digits: string, { currency }: CountedIn): string {
  if (!currency) return digits;
  // Only the workspace writes codes: the forms that every page loads go without this one.
  const form = formsOf(pageLanguage()).money_code ?? money_code;
  return form.replace("#", digits).replace("¤", currency);
}
