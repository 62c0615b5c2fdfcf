/**
 * Days as `YYYY-MM-DD`, counted as the server counts them (`domain::lease`): a month from 31 January is the last day of February.
 * `domain/cases/calendar.json` holds the cases that both are tested with.
 */

const DAY_MS = 86_400_000;

/** The day so many days later; earlier where `days` is negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day so many months later; where that month is shorter, its last day. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const later = Date.UTC(year, month - 1 + months, Math.min(date, lastDate));
  return new Date(later).toISOString().slice(0, 10);
}

/** Whether it is a day of the calendar: 30 February has the looks of one. */
export function isDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
