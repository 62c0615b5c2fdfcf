import { formsOf } from "../i18n/forms.ts";
import { pageLanguage } from "../i18n/languages.ts";

/**
 * Money as finance reads it, never rounded, never without its currency: `1,036.27`, `−259.07` with the marks of the page's language; currencies without
 * minor units have no decimals.
 */
export function exact(minor: number, decimals: number): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const { group, decimal, group_from } = formsOf(pageLanguage());
  const grouped = whole.length < group_from ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
  const fraction = decimals === 0 ? "" : decimal + digits.slice(-decimals);
  return `${minor < 0 ? "−" : ""}${grouped}${fraction}`;
}

/** The same with a plus before money that came in. */
export function signed(minor: number, decimals: number): string {
  return minor > 0 ? `+${exact(minor, decimals)}` : exact(minor, decimals);
}
