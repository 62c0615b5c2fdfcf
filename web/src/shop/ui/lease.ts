import { addDays, addMonths, isDay } from "../../calendar.ts";

/** The length of a stay, as rooms and payments carry it. */
export interface Lease {
  move_in_date: string;
  lease_duration: number;
  lease_duration_unit: "weeks" | "months";
}

/** The day a stay ends: 44 weeks from 11 September 2027 is 15 July 2028. */
export function leaseEnd({ move_in_date, lease_duration, lease_duration_unit }: Lease): string {
  const day = move_in_date.slice(0, 10);
  if (!isDay(day)) return move_in_date;
  return lease_duration_unit === "weeks" ? addDays(day, lease_duration * 7) : addMonths(day, lease_duration);
}
