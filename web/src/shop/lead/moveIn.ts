import { serverNow } from "../../serverClock.ts";
import { type WallClock, wallClock } from "../../zoneClock.ts";
import type { LeadInventory } from "../ui/overlays.ts";

/** Spec §3 lead date ranges: the four quarters in which people say they move. */
export const QUARTERS = ["january_to_march", "april_to_june", "july_to_september", "october_to_december"] as const;

/** One quarter of one year: `2027` and `july_to_september`. */
export interface Quarter {
  year: number;
  /** 0 to 3. */
  index: number;
  name: (typeof QUARTERS)[number];
  /** Its months as `2027-07`. */
  months: string[];
}

function quarter(year: number, index: number): Quarter {
  return {
    year,
    index,
    name: QUARTERS[index] ?? QUARTERS[0],
    months: [1, 2, 3].map((month) => `${year}-${String(index * 3 + month).padStart(2, "0")}`),
  };
}

/** The next four quarters from a day on, the running one included when any of its months is left. */
export function comingQuarters(today: string): Quarter[] {
  const year = Number(today.slice(0, 4));
  const first = Math.floor((Number(today.slice(5, 7)) - 1) / 3);
  return [0, 1, 2, 3].map((ahead) => {
    const index = first + ahead;
    const next = quarter(year + Math.floor(index / 4), index % 4);
    return { ...next, months: next.months.filter((month) => month >= today.slice(0, 7)) };
  });
}

/** The day it is where the home lies, by which the server judges what is still to come. */
export function todayAt(inventory: LeadInventory | null): string {
  return wallClock(new Date(serverNow()), inventory?.time_zone ?? "UTC").date;
}

/** What a lead carries as `move_in_date`: the month when one is chosen, else the quarter's name. */
export function moveInValue(quarters: readonly Quarter[], index: number | null, month: string): string | undefined {
  if (month !== "") return month;
  return index === null ? undefined : quarters[index]?.name;
}

/** The quarter a saved or chosen move-in value falls in; null for one that has passed or says nothing. */
export function quarterOf(quarters: readonly Quarter[], value: string): number | null {
  const at = quarters.findIndex((entry) => entry.months.includes(value.slice(0, 7)) || entry.name === value);
  return at < 0 ? null : at;
}

/** Spec §9 viewing slots: every half hour from 09:00 to 18:00, both included (D63). */
export const VIEWING_SLOTS: readonly string[] = Array.from({ length: 19 }, (_, half) => {
  const minutes = 9 * 60 + half * 30;
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
});

/** The slots of a day that are still to come on the property's clock (D63). */
export function openSlots(date: string, now: WallClock): string[] {
  if (date < now.date) return [];
  return VIEWING_SLOTS.filter((slot) => date > now.date || slot > now.time);
}
