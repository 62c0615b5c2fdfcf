/** The length of a stay, as rooms and payments carry it. */
export interface Lease {
  move_in_date: string;
  lease_duration: number;
  lease_duration_unit: "weeks" | "months";
}

/** The day a stay ends: 44 weeks from 11 September 2027 is 15 July 2028. */
export function leaseEnd({ move_in_date, lease_duration, lease_duration_unit }: Lease): string {
  const end = new Date(`${move_in_date.slice(0, 10)}T12:00:00Z`);
  if (Number.isNaN(end.getTime())) return move_in_date;
  if (lease_duration_unit === "weeks") end.setUTCDate(end.getUTCDate() + lease_duration * 7);
  else end.setUTCMonth(end.getUTCMonth() + lease_duration);
  return end.toISOString().slice(0, 10);
}
