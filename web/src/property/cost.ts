import type { RoomOption } from "../contract/wire.ts";

/** D39: the processing fee is rounded once, half up, on the sum; 3.627 % as whole numbers. */
export function processingFee(subtotalMinor: number): number {
  return Math.floor((subtotalMinor * 103_627 + 50_000) / 100_000) - subtotalMinor;
}

/** The rent of the whole stay, where price and stay are counted in the same period. */
export function wholeStay(option: RoomOption): number | null {
  const same = (option.price.duration === "weekly") === (option.lease_duration_unit === "weeks");
  return same ? option.price.amount_minor * option.lease_duration : null;
}
