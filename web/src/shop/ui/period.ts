import { useSyncExternalStore } from "react";
import type { Period, Price } from "../../contract/wire.ts";
import { deviceStorage } from "../../deviceStorage.ts";
import { isPeriod, periodKey } from "../../paths.ts";

/** Week or month is one switch for the whole site; until it is touched every price keeps its own period. */

const listeners = new Set<() => void>();

export function usePeriod(): Period | null {
  return useSyncExternalStore(subscribe, chosen, () => null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function chosen(): Period | null {
  try {
    const value = deviceStorage().getItem(periodKey);
    return isPeriod(value) ? value : null;
  } catch {
    return null;
  }
}

export function choosePeriod(period: Period): void {
  try {
    deviceStorage().setItem(periodKey, period);
  } catch {
    // A browser without storage keeps each price's own period.
  }
  for (const listener of listeners) listener();
}

/** D33: month = week × 52/12, rounded half-even to whole units, for display only. */
export function inPeriod(price: Price, period: Period | null): Price {
  if (period === null || period === price.duration) return price;
  const unit = 10 ** price.decimals;
  const units = period === "monthly" ? (price.amount_minor * 52) / 12 / unit : (price.amount_minor * 12) / 52 / unit;
  return { ...price, amount_minor: halfEven(units) * unit, duration: period };
}

function halfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
