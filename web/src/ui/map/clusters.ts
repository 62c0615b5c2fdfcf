import type { Point } from "./projection.ts";

/** Pins that would lie over each other, drawn as one. */
export interface Cluster<T> {
  at: Point;
  pins: T[];
}

const tooNear = { x: 66, y: 44 };

/** Joins pins whose labels would touch; the first of the list keeps its place, so the best match stays in view. */
export function cluster<T>(pins: readonly { pin: T; at: Point }[], near: Point = tooNear): Cluster<T>[] {
  const clusters: Cluster<T>[] = [];
  for (const { pin, at } of pins) {
    const beside = clusters.find(
      (other) => Math.abs(other.at.x - at.x) < near.x && Math.abs(other.at.y - at.y) < near.y,
    );
    if (beside) beside.pins.push(pin);
    else clusters.push({ at, pins: [pin] });
  }
  return clusters;
}
