import { type Covered, nothingCovered, type Point, type Size } from "./projection.ts";

/** Pins that would lie over each other, drawn as one. */
export interface Cluster<T> {
  at: Point;
  pins: T[];
}

/** Distance in px below which the labels of two pins would touch. */
export const tooNear = { x: 66, y: 44 };

/**
 * Joins pins whose labels would touch; the first of the list keeps its place, so the best match stays in view. A pin
 * that stands alone joins none, and comes last, so that it is drawn over the others.
 */
export function cluster<T>(
  pins: readonly { pin: T; at: Point }[],
  near: Point = tooNear,
  isAlone: (pin: T) => boolean = () => false,
): Cluster<T>[] {
  const clusters: Cluster<T>[] = [];
  const alone: Cluster<T>[] = [];
  for (const { pin, at } of pins) {
    if (isAlone(pin)) {
      alone.push({ at, pins: [pin] });
      continue;
    }
    const beside = clusters.find((other) => isNear(other.at, at, near));
    if (beside) beside.pins.push(pin);
    else clusters.push({ at, pins: [pin] });
  }
  return [...clusters, ...alone];
}

/**
 * Clusters that a pin standing alone would cover are moved beside it, to the first side where they can be pressed and touch no
 * other; a cluster has no exact place of its own.
 */
export function movedAside<T>(
  clusters: readonly Cluster<T>[],
  isAlone: (pin: T) => boolean,
  size: Size,
  covered?: Covered,
): Cluster<T>[] {
  const alone = clusters.filter(({ pins: [pin] }) => pin !== undefined && isAlone(pin));
  const placed = clusters.map(({ at }) => at);
  return clusters.map((one, index) => {
    const over = alone.find((pin) => pin !== one && isNear(pin.at, one.at, tooNear));
    if (!over) return one;
    const others = placed.filter((_, other) => other !== index);
    const free = sides
      .map(({ x, y }) => ({ x: over.at.x + x, y: over.at.y + y }))
      .find((at) => canBeHit(at, size, covered) && !others.some((other) => isNear(other, at, tooNear)));
    if (!free) return one;
    placed[index] = free;
    return { ...one, at: free };
  });
}

const sides: readonly Point[] = [
  { x: 0, y: -tooNear.y },
  { x: 0, y: tooNear.y },
  { x: -tooNear.x, y: 0 },
  { x: tooNear.x, y: 0 },
];

function isNear(one: Point, other: Point, near: Point): boolean {
  return Math.abs(one.x - other.x) < near.x && Math.abs(one.y - other.y) < near.y;
}

// The largest half of a pin's width, its height, and where the zoom buttons stand: 16 px from the corner, two of 44 px.
const pinSize = { half: 36, height: 38 };
const corner = { left: 60, bottom: 112, top: 16 };

/** Whether 24 px of a pin with its foot there can be pressed: not cut by an edge, under no bar, card or zoom button. */
export function canBeHit({ x, y }: Point, size: Size, { top, bottom }: Covered = nothingCovered): boolean {
  const isInside = x >= 8 && x <= size.width - 8 && y >= top + 26 && y <= size.height - bottom + 4;
  const isUnderZoom =
    x + pinSize.half > size.width - corner.left && y > top + corner.top && y - pinSize.height < top + corner.bottom;
  return isInside && !isUnderZoom;
}
