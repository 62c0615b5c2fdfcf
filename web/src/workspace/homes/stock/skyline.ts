/** Reckonings of a line of weeks: where months begin on it, where a lease lies, and how many rooms are free for a whole stay. */

const DAY_MS = 86_400_000;

export interface Week {
  /** Its Monday. */
  from: string;
  free: number;
}

/** The place of a day on a line of weeks, from 0 to 100; days beside it are at its ends. */
export function placeDay(day: string, from: string, weeks: number): number {
  const days = (Date.parse(day) - Date.parse(from)) / DAY_MS;
  return Math.min(1, Math.max(0, days / (Math.max(1, weeks) * 7))) * 100;
}

/** First days of the months that begin on a line of weeks, each with its place. */
export function listMonths(from: string, weeks: number): { day: string; at: number }[] {
  const end = Date.parse(from) + weeks * 7 * DAY_MS;
  const month = new Date(`${from.slice(0, 7)}-01T00:00:00Z`);
  if (month.getTime() < Date.parse(from)) month.setUTCMonth(month.getUTCMonth() + 1);
  const months: { day: string; at: number }[] = [];
  while (month.getTime() < end) {
    const day = month.toISOString().slice(0, 10);
    months.push({ day, at: placeDay(day, from, weeks) });
    month.setUTCMonth(month.getUTCMonth() + 1);
  }
  return months;
}

/** Rooms that are free for every week of a stay; null where the line does not hold the whole stay. */
export function countFree(moveIn: string, ends: string, weeks: readonly Week[]): number | null {
  const [begin, end] = [Date.parse(moveIn), Date.parse(ends)];
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (begin < Date.parse(first.from) || end > Date.parse(last.from) + 7 * DAY_MS) return null;
  const those = weeks.filter(({ from }) => Date.parse(from) + 7 * DAY_MS > begin && Date.parse(from) < end);
  return those.length === 0 ? null : Math.min(...those.map(({ free }) => free));
}

/** Steps of the keys along the line: a week, four weeks, or to an end. */
export function stepWeek(key: string, at: number, weeks: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -4,
    PageUp: 4,
    Home: -weeks,
    End: weeks,
  };
  const by = steps[key];
  return by === undefined ? null : Math.max(0, Math.min(weeks - 1, at + by));
}
