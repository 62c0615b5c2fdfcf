import { type MapNames, readNames } from "./mapNames.ts";
import { type LatLng, type Point, project, unitsPerMetre } from "./projection.ts";
import { terrainFacts } from "./terrainFacts.ts";

/** A river, shore or park, in the flat world's units. */
export interface Feature {
  look: "river" | "water" | "park";
  names: MapNames;
  /** How wide a river is, in the flat world's units. */
  width: number;
  points: readonly Point[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

let read: readonly Feature[] | null = null;

/** All that is known of rivers, shores and parks. */
export function terrain(): readonly Feature[] {
  if (read) return read;
  const lines = terrainFacts.split("\n").filter((line) => line.includes("|"));
  const [[, , ...heads] = [], ...rows] = lines.map((line) => line.split("|"));
  read = rows.map((row) => featureOf(row, heads.slice(0, -1)));
  return read;
}

function featureOf([kind = "", metres = "", ...rest]: readonly string[], tags: readonly string[]): Feature {
  const corners = (rest.at(-1) ?? "").split(",").map(placeOf);
  const [first = { lat: 0, lng: 0 }] = corners;
  const unit = unitsPerMetre(first.lat);
  const isOval = kind === "lake" || kind === "green";
  const points = isOval ? oval(first, metres, unit) : corners.map(project);
  const look = kind === "river" ? "river" : kind === "water" || kind === "lake" ? "water" : "park";
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return {
    look,
    names: readNames(tags, rest),
    width: look === "river" ? Number(metres) * unit : 0,
    points,
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

function placeOf(text: string): LatLng {
  const [lat = 0, lng = 0] = text.split(" ").map(Number);
  return { lat, lng };
}

// Nothing grown is a perfect oval: every corner stands a little nearer or farther, always the same for the same place.
function oval(middle: LatLng, metres: string, unit: number): Point[] {
  const [wide = 0, high = 0, turn = 0] = metres.split(" ").map(Number);
  const { x, y } = project(middle);
  const turned = (turn * Math.PI) / 180;
  return Array.from({ length: 9 }, (_, corner) => {
    const angle = (corner / 9) * 2 * Math.PI;
    const away = 0.9 + 0.2 * chance(corner + wide, high + middle.lat);
    const across = Math.cos(angle) * wide * away * unit;
    const down = Math.sin(angle) * high * away * unit;
    return {
      x: x + across * Math.cos(turned) - down * Math.sin(turned),
      y: y + across * Math.sin(turned) + down * Math.cos(turned),
    };
  });
}

/** A number from 0 to 1 that belongs to two others. */
export function chance(column: number, row: number): number {
  const mixed = Math.sin(column * 127.1 + row * 311.7) * 43_758.5453;
  return mixed - Math.floor(mixed);
}

/** Whether a point lies within an outline. */
export function isWithin(at: Point, outline: readonly Point[]): boolean {
  let inside = false;
  outline.forEach((one, n) => {
    const other = outline.at(n - 1) ?? one;
    const isBetween = one.y > at.y !== other.y > at.y;
    if (isBetween && at.x < ((other.x - one.x) * (at.y - one.y)) / (other.y - one.y) + one.x) inside = !inside;
  });
  return inside;
}

/** A line through all points without corners; closed, it comes back to the first. */
export function smooth(points: readonly Point[], closed: boolean): string {
  const at = (n: number): Point => {
    const inside = closed ? (n + points.length) % points.length : Math.min(points.length - 1, Math.max(0, n));
    return points[inside] ?? { x: 0, y: 0 };
  };
  const parts = [`M${round(at(0).x)} ${round(at(0).y)}`];
  const last = closed ? points.length : points.length - 1;
  for (let n = 0; n < last; n += 1) {
    const [before, from, to, after] = [at(n - 1), at(n), at(n + 1), at(n + 2)];
    const bends = [from.x + (to.x - before.x) / 6, from.y + (to.y - before.y) / 6];
    const meets = [to.x - (after.x - from.x) / 6, to.y - (after.y - from.y) / 6];
    parts.push(`C${[...bends, ...meets, to.x, to.y].map(round).join(" ")}`);
  }
  return closed ? `${parts.join("")}Z` : parts.join("");
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
