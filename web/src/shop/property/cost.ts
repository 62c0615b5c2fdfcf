import type { RoomOption } from "../../contract/wire.ts";

/** The rent of the whole stay, where price and stay are counted in the same period. */
export function wholeStay(option: RoomOption): number | null {
  const same = (option.price.duration === "weekly") === (option.lease_duration_unit === "weeks");
  return same ? option.price.amount_minor * option.lease_duration : null;
}
