import type { WaitlistView } from "../../contract/wire.ts";

type Line = WaitlistView["order"][number];

/** A place with its number, from 1; `last` differs where staff moved several up, whose order among themselves is not told. */
export interface Numbered {
  line: Line;
  first: number;
  last: number;
}

/** The order in which rooms are offered, and the places that are over, as they were taken. */
export interface ServedOrder {
  next: Numbered[];
  over: Line[];
}

/** Kept rooms come before waiting places, and within both those that staff moved up come first; else the log's order holds. */
const rank = ({ state, is_override }: Line) => (state === "offered" ? 0 : 2) + (is_override ? 0 : 1);

const isAlive = ({ state }: Line) => state === "waiting" || state === "offered";

/** Numbers the public order of a waitlist. `own` is the reader's number as the server counts it. */
export function servedOrder(order: readonly Line[], own: number | null): ServedOrder {
  const alive = order.filter(isAlive).toSorted((one, other) => rank(one) - rank(other));
  const next = alive.map((line, index): Numbered => {
    if (line.is_own && own !== null) return { line, first: own, last: own };
    if (!line.is_override) return { line, first: index + 1, last: index + 1 };
    const same = alive.filter((other) => rank(other) === rank(line)).length;
    const first = alive.findIndex((other) => rank(other) === rank(line)) + 1;
    return { line, first, last: first + same - 1 };
  });
  return { next, over: order.filter((line) => !isAlive(line)) };
}
