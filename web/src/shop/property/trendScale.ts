import type { Period } from "../../contract/wire.ts";
import type { MoneyLook } from "../../i18n/format.ts";

/** One line of the chart. */
export interface Series {
  name: string;
  look: MoneyLook & { duration: Period };
  colour: string;
  dash: string;
  points: readonly { month: string; value: number }[];
}

/** Even steps that hold all values: their lowest, highest and distance are round numbers of whole units. */
export function axis(values: readonly number[], unit: number): { low: number; high: number; ticks: number[] } {
  const least = Math.min(...values) / unit;
  const most = Math.max(...values) / unit;
  const raw = Math.max((most - least) / 4, 1);
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 4, 5, 10].find((factor) => factor * size >= raw) ?? 10) * size;
  const low = Math.max(0, Math.floor((least - step * 0.4) / step) * step);
  const high = Math.ceil((most + step * 0.4) / step) * step;
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => (low + at * step) * unit);
  return { low: low * unit, high: high * unit, ticks };
}
