/** Moments of the books, each as the first instant that no longer counts. */

const dayMs = 86_400_000;

/** Midnight UTC after a day, `later` days from today. */
export function endOfDay(now: Date, later: number): string {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return new Date(midnight + (later + 1) * dayMs).toISOString();
}

export function endOfLastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
}

/** The end of a minute as a form gives it; null while it is half typed. */
export function endOfMinute(day: string, time: string): string | null {
  const begins = Date.parse(`${day}T${time.slice(0, 5)}:00Z`);
  return Number.isNaN(begins) ? null : new Date(begins + 60_000).toISOString();
}

/** The last second that counts, as people read it. */
export function lastOf(asof: string): string {
  return new Date(Date.parse(asof) - 1000).toISOString();
}

/** The address' moment, where it is one. */
export function momentOf(value: unknown): string | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return null;
  return Number.isNaN(Date.parse(value)) ? null : value;
}
