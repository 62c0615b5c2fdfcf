/**
 * Reading one parameter of an address. It is a text as the address spells it, or what was read of it before: the router reads
 * its own results again.
 */

/** The words, without spaces around them; null for none. */
export function wordsAsked(value: unknown): string | null {
  return (typeof value === "string" && value.trim()) || null;
}

/** The page of a list; null for the first, which the address does not name. */
export function pageAsked(value: unknown): number | null {
  const p = Number(value);
  return Number.isInteger(p) && p > 1 ? p : null;
}
