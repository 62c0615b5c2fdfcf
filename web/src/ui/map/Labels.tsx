import type { Point } from "./projection.ts";

/** A name on the ground. */
export interface Label {
  name: string;
  at: Point;
  look: "area" | "park" | "water";
  /** Degrees, for a name along a river. */
  turn?: number;
}

/** Names that do not lie over each other or under a pin; the first of the list come first. */
export function Labels({ labels, taken }: { labels: readonly Label[]; taken: readonly Point[] }) {
  return apart(labels, taken).map(({ name, at, look, turn }) => (
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

// A name may step a little up or down to be read; farther and it would name another place.
const stepsAside = [0, 26, -26, 46, -46];

/** Each name where it can be read, or not at all. */
export function apart(labels: readonly Label[], taken: readonly Point[]): Label[] {
  const kept: Label[] = [];
  for (const label of labels) {
    const isFree = (at: Point) =>
      kept.every((other) => !touches(at, other.at, (wide(label.name) + wide(other.name)) / 2 + 8, 18)) &&
      taken.every((pin) => !touches(at, { x: pin.x, y: pin.y - 8 }, wide(label.name) / 2 + 24, 26));
    const places = stepsAside.map((step) => ({ x: label.at.x, y: label.at.y + step }));
    const at = label.turn === undefined ? places.find(isFree) : isFree(label.at) ? label.at : undefined;
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
