import type { Point, Size } from "./projection.ts";

/** A name on the ground. */
export interface Label {
  name: string;
  at: Point;
  look: "area" | "town" | "park" | "water";
  /** Degrees, for a name along a river. */
  turn?: number;
}

/** Names that do not lie over each other or under a pin; the first of the list come first. */
export function Labels({ labels, taken, size }: { labels: readonly Label[]; taken: readonly Point[]; size: Size }) {
  return apart(labels, taken, size).map(({ name, at, look, turn }) => (
    <text
      key={`${look}${name}`}
      className={look}
      x={at.x}
      y={at.y + 4}
      {...(turn === undefined ? {} : { transform: `rotate(${Math.round(turn)} ${at.x} ${at.y})` })}
    >
      {name}
    </text>
  ));
}

/** Where names may stand, best first. A step a little aside can still be read; farther and it would name another place. */
function places({ name, at, look, turn }: Label): Point[] {
  if (turn !== undefined) return [at];
  const beside = wide(name) / 2 + 10;
  return stepsFor(look, beside).map(([x, y]) => ({ x: at.x + x, y: at.y + y }));
}

function stepsFor(look: Label["look"], beside: number): readonly Step[] {
  // A town is a dot: its name is read beside it.
  return look === "town" ? [[beside, 0], [-beside, 0], ...downAndUp(16)] : aside;
}

type Step = readonly [number, number];

const downAndUp = (by: number): Step[] => [
  [0, by],
  [0, -by],
];
const sideways = (by: number, down: number): Step[] => [
  [by, down],
  [-by, down],
];
const aside = [
  ...downAndUp(0),
  ...downAndUp(26),
  ...[0, 26, -26].flatMap((down) => sideways(40, down)),
  ...downAndUp(46),
];

/** Each name where it can be read whole, or not at all. */
export function apart(labels: readonly Label[], taken: readonly Point[], size: Size): Label[] {
  const kept: Label[] = [];
  for (const label of labels) {
    const half = wide(label.name) / 2;
    const isInside = ({ x, y }: Point) => x > half + 4 && x < size.width - half - 4 && y > 12 && y < size.height - 12;
    const isFree = (at: Point) =>
      isInside(at) &&
      kept.every((other) => !touches(at, other.at, half + wide(other.name) / 2 + 8, 18)) &&
      // A pin stands on its tip.
      taken.every((pin) => !touches(at, { x: pin.x, y: pin.y - 17 }, half + 26, 25));
    const at = places(label).find(isFree);
    if (at) kept.push({ ...label, at });
  }
  return kept;
}

function touches(one: Point, other: Point, across: number, down: number): boolean {
  return Math.abs(one.x - other.x) < across && Math.abs(one.y - other.y) < down;
}

/** About how wide a name is drawn: a Chinese letter takes the room of two. */
function wide(name: string): number {
  return [...name].reduce((sum, letter) => sum + (letter > "\u2e80" ? 13 : 7.2), 0);
}
