/** Months as `2026-11`, in UTC, as the log counts them. */

export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** The last day of a month, as `2026-11-30`. */
export function lastDayOf(month: string): string {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year ?? 0, number ?? 1, 0)).toISOString().slice(0, 10);
}

export function monthBefore(month: string): string {
  return monthOf(Date.parse(`${month}-01T00:00:00Z`) - 1);
}

/** The newest month that has ended. */
export function lastEndedMonth(now: number): string {
  return monthBefore(monthOf(now));
}

/** Whether a month's end can be signed for: a month that has ended, written as `2026-11`. */
export function hasEnded(month: string, now: number): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && month <= lastEndedMonth(now);
}
