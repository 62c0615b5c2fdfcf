/** Where the single keys of the replay lead (UX: ← → Space [ ] C W R Esc). */
import type { History } from "./refold.ts";
import type { ReplayEvent } from "./replayMachine.ts";

/** The next or previous event of the stream event `n` belongs to. */
export function sameStream(history: History, n: number, direction: "before" | "after"): ReplayEvent | null {
  const stream = history.streamOf(n);
  const to = stream === undefined ? null : history.neighbour(stream, n, direction);
  return to === null ? null : { type: "replay.seek", n: to };
}

/** The event that caused event `n`. */
export function toCause(history: History, n: number): ReplayEvent | null {
  const because = history.event(n)?.because_of ?? null;
  return because === null ? null : { type: "replay.seek", n: because };
}
