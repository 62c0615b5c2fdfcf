/** Moments that the books are asked for, each the last instant that counts. Their days and months end at midnight UTC. */

const DAY_MS = 86_400_000;

/** The last microsecond before an instant: the log writes none that is shorter. */
function lastBefore(end: number): string {
  return new Date(end - 1).toISOString().replace("Z", "999Z");
}

/** The end of the day that is `later` days from today. */
export function endOfDay(now: Date, later: number): string {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return lastBefore(midnight + (later + 1) * DAY_MS);
}

export function endOfLastMonth(now: Date): string {
  return lastBefore(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

/** The end of a minute on the reader's clock as a form gives it, at most now; null while it is half typed or to come. */
export function endOfMinute(day: string, time: string, now: Date): string | null {
  const begins = Date.parse(`${day}T${time.slice(0, 5)}:00`);
  if (Number.isNaN(begins) || begins >= now.getTime()) return null;
  return lastBefore(Math.min(begins + 60_000, now.getTime()));
}
