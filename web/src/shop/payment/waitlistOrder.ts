import type { WaitlistView } from "../../contract/wire.ts";

type Line = WaitlistView["order"][number];

/** A place that is alive, with its number. */
export type Numbered = Line & { number: number };

/** The order in which rooms are offered, and the places that are over, as they were taken. */
export interface ServedOrder {
  next: Numbered[];
  over: Line[];
}

const isNumbered = (line: Line): line is Numbered => line.number !== null;

/** Sorts the public order of a waitlist by the numbers that the server tells. */
export function servedOrder(order: readonly Line[]): ServedOrder {
  const next = order.filter(isNumbered).toSorted((one, other) => one.number - other.number);
  return { next, over: order.filter((line) => !isNumbered(line)) };
}
