/** The event that `?v=` of a replay's address names; `null` for none, and for what is no event's number. */
export function placeAsked(text: string | null | undefined): number | null {
  const v = Number(text ?? Number.NaN);
  return Number.isInteger(v) && v > 0 ? v : null;
}
