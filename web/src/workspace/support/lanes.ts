/** The scrubber's picture: one slot per event, five lanes, days above. Fractions of the track's width, 0 to 1. */
import type { StreamKind } from "../../contract/wire.ts";
import { type History, laneOf, STREAMS } from "./refold.ts";

/** Above this many events marks become bars: a mark would be narrower than a pixel. */
export const MARKS_AT_MOST = 240;

/** Bars per lane when there are too many events for marks. */
const COLUMNS = 320;

export interface DayLine {
  day: string;
  /** Place of the day's first event. */
  n: number;
  left: number;
  width: number;
  text: "long" | "short" | "none";
}

/** The middle of event `n`'s slot. */
export function middle(n: number, last: number): number {
  return last === 0 ? 0 : (n - 0.5) / last;
}

/** The event whose slot a point of the track lies in. */
export function eventAt(fraction: number, last: number): number {
  return Math.min(last, Math.max(1, Math.floor(fraction * last) + 1));
}

/** Where each day begins; a day too narrow for its name goes without, one too narrow to be told apart is left out. */
export function dayLines(history: History): DayLine[] {
  const starts = history.days();
  const lines: DayLine[] = [];
  for (const [index, { day, n }] of starts.entries()) {
    const left = (n - 1) / history.last;
    const width = ((starts[index + 1]?.n ?? history.last + 1) - n) / history.last;
    const before = lines[lines.length - 1];
    if (before !== undefined && left - before.left < 0.025) continue;
    lines.push({ day, n, left, width, text: width >= 0.095 ? "long" : width >= 0.035 ? "short" : "none" });
  }
  return lines;
}

/** A run of columns of one lane with the same look. */
export interface Bar {
  lane: number;
  left: number;
  width: number;
  failed: boolean;
}

/** For long histories: which columns of which lane hold an event, failed ones apart. */
export function bars(history: History): Bar[] {
  const filled = new Map<StreamKind, Map<number, boolean>>(STREAMS.map((stream) => [stream, new Map()]));
  const failures = new Set(history.failures());
  for (let n = 1; n <= history.last; n++) {
    const column = Math.floor(((n - 1) / history.last) * COLUMNS);
    const lane = filled.get(laneOf(history.streamOf(n) ?? "lead"));
    lane?.set(column, failures.has(n) || (lane.get(column) ?? false));
  }
  return STREAMS.flatMap((stream, lane) =>
    [...(filled.get(stream) ?? [])].map(([column, failed]) => ({
      lane,
      left: column / COLUMNS,
      width: 1 / COLUMNS,
      failed,
    })),
  );
}

/** The amber thread through a chain of causes, in slots and lanes: a curve wherever it changes lane. */
export function thread(history: History, n: number): string {
  const points = history
    .causes(n)
    .reverse()
    .flatMap((place) => {
      const stream = history.streamOf(place);
      return stream === undefined ? [] : [{ x: place - 0.5, y: STREAMS.indexOf(laneOf(stream)) + 0.5 }];
    });
  return points
    .map(({ x, y }, index) => {
      const from = points[index - 1];
      if (from === undefined) return `M${x} ${y}`;
      if (from.y === y) return `L${x} ${y}`;
      const bend = from.x + Math.min(1, x - from.x) / 2;
      return `C${bend} ${from.y} ${bend} ${y} ${Math.min(from.x + 1, x)} ${y}L${x} ${y}`;
    })
    .join("");
}
