/** The event that `?v=` of a replay's address names; `null` for none, and for what is no event's number. */
export function placeAsked(value: unknown): number | null {
  const v = Number(value ?? Number.NaN);
  return Number.isInteger(v) && v > 0 ? v : null;
}
