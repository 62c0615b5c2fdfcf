import type { MapArea, MapCenter } from "./PlaceMap.tsx";
import { type Point, project, type Size, toWindow, unitsPerMetre, type View } from "./projection.ts";

interface GroundProps {
  view: View;
  size: Size;
  center: MapCenter;
  areas: readonly MapArea[];
  /** Circles at these distances from the centre, with their names. */
  rings: readonly { metres: number; name: string }[];
}

/**
 * The map's paper. No tile server is asked: positions of centre, areas and homes are exact, the streets between them
 * are a quiet pattern and the wide roads join neighbouring areas.
 */
export function Ground({ view, size, center, areas, rings }: GroundProps) {
  const place = (point: Point) => toWindow(point, view, size);
  const middle = place(project(center));
  const spots = areas.map((area) => ({ ...area, at: place(project(area)) }));
  const scale = 2 ** view.zoom * unitsPerMetre(center.lat);
  return (
    <svg className="ground" width={size.width} height={size.height} aria-hidden="true">
      <rect width="100%" height="100%" fill="var(--map-land)" />
      <Patches view={view} size={size} middle={middle} lat={center.lat} />
      {view.zoom > 10 ? <Streets view={view} size={size} origin={middle} /> : null}
      <g fill="var(--map-block)" opacity=".7">
        {spots.map((spot) => (
          <circle key={spot.name} cx={spot.at.x} cy={spot.at.y} r={Math.min(180, Math.max(14, 260 * scale))} />
        ))}
      </g>
      <g fill="none" stroke="#fff" strokeLinecap="round" strokeWidth={Math.min(13, Math.max(4, 90 * scale))}>
        {roads([{ at: middle, name: "" }, ...spots]).map(([from, to]) => (
          <path key={`${from.x},${from.y}-${to.x},${to.y}`} d={bend(from, to)} />
        ))}
      </g>
      {rings
        .filter((ring) => ring.metres * scale > 70)
        .map((ring) => (
          <g key={ring.metres}>
            <circle className="ring" cx={middle.x} cy={middle.y} r={ring.metres * scale} strokeWidth={2} />
            <text className="ring-name" x={middle.x} y={middle.y - ring.metres * scale - 8}>
              {ring.name}
            </text>
          </g>
        ))}
      {apart(spots).map((spot) => (
        <text key={spot.name} className="area" x={spot.at.x} y={spot.at.y + 4}>
          {spot.name}
        </text>
      ))}
    </svg>
  );
}

const tilt = -0.2;
const patchMetres = 620;

/** Quiet blocks and greens between the streets, always in the same places around the same centre. */
function Patches({ view, size, middle, lat }: { view: View; size: Size; middle: Point; lat: number }) {
  const step = patchMetres * 2 ** view.zoom * unitsPerMetre(lat);
  if (step < 34) return null;
  const reach = Math.ceil(Math.hypot(size.width, size.height) / step) + 1;
  const offset = {
    x: Math.round((size.width / 2 - middle.x) / step),
    y: Math.round((size.height / 2 - middle.y) / step),
  };
  const greens: string[] = [];
  const blocks: string[] = [];
  for (let row = offset.y - reach; row <= offset.y + reach; row += 1) {
    for (let column = offset.x - reach; column <= offset.x + reach; column += 1) {
      const luck = chance(column, row);
      if (luck > 0.26) continue;
      const wide = step * (0.55 + ((luck * 97) % 0.4));
      const path = quad(middle.x + column * step, middle.y + row * step, wide, wide * 0.72);
      if (luck < 0.11) greens.push(path);
      else blocks.push(path);
    }
  }
  return (
    <>
      <path d={blocks.join("")} fill="var(--map-block)" opacity=".6" />
      <path
        d={greens.join("")}
        fill="var(--map-park)"
        stroke="var(--map-park)"
        strokeWidth={step * 0.12}
        strokeLinejoin="round"
        opacity=".85"
      />
    </>
  );
}

function quad(x: number, y: number, wide: number, high: number): string {
  const along = { x: Math.cos(tilt), y: Math.sin(tilt) };
  const corner = (a: number, b: number) =>
    `${round(x + a * wide * along.x - b * high * along.y)} ${round(y + a * wide * along.y + b * high * along.x)}`;
  return `M${corner(-0.5, -0.5)}L${corner(0.5, -0.5)}L${corner(0.46, 0.5)}L${corner(-0.5, 0.44)}Z`;
}

/** A number from 0 to 1 that belongs to a cell. */
function chance(column: number, row: number): number {
  const mixed = Math.sin(column * 127.1 + row * 311.7) * 43_758.5453;
  return mixed - Math.floor(mixed);
}

/** Two families of thin lines that move and scale with the map. */
function Streets({ view, size, origin }: { view: View; size: Size; origin: Point }) {
  const gap = 56 * 2 ** (view.zoom - Math.floor(view.zoom));
  const reach = size.width + size.height;
  const family = (angle: number, step: number) => {
    const lines: string[] = [];
    const along = { x: Math.cos(angle), y: Math.sin(angle) };
    const across = { x: -along.y, y: along.x };
    const start = Math.ceil(-reach / step);
    for (let n = start; n * step < reach; n += 1) {
      const shift = (origin.x * across.x + origin.y * across.y) % step;
      const at = { x: across.x * (n * step + shift), y: across.y * (n * step + shift) };
      lines.push(
        `M${round(at.x - along.x * reach)} ${round(at.y - along.y * reach)}L${round(at.x + along.x * reach)} ${round(at.y + along.y * reach)}`,
      );
    }
    return lines.join("");
  };
  return (
    <g stroke="#FBFAF7" strokeWidth={4} fill="none">
      <path d={family(tilt, gap)} />
      <path d={family(1.36, gap * 1.15)} />
    </g>
  );
}

interface Spot {
  name: string;
  at: Point;
}

/** Each spot joined with its two nearest. */
function roads(spots: readonly Spot[]): [Point, Point][] {
  const joined = new Map<string, [Point, Point]>();
  spots.forEach((spot, index) => {
    const nearest = spots
      .map((other, at) => ({ other, at, away: (other.at.x - spot.at.x) ** 2 + (other.at.y - spot.at.y) ** 2 }))
      .filter(({ at }) => at !== index)
      .sort((a, b) => a.away - b.away)
      .slice(0, 2);
    for (const { other, at } of nearest) joined.set([index, at].sort().join("-"), [spot.at, other.at]);
  });
  return [...joined.values()];
}

/** Names that do not lie over each other; the first of the list come first. */
function apart(spots: readonly Spot[]): Spot[] {
  const kept: Spot[] = [];
  for (const spot of spots) {
    const half = (other: Spot) => (spot.name.length + other.name.length) * 3.6 + 8;
    const free = kept.every(
      (other) => Math.abs(other.at.y - spot.at.y) > 18 || Math.abs(other.at.x - spot.at.x) > half(other),
    );
    if (free) kept.push(spot);
  }
  return kept;
}

function bend(from: Point, to: Point): string {
  const middle = { x: (from.x + to.x) / 2 + (to.y - from.y) * 0.08, y: (from.y + to.y) / 2 - (to.x - from.x) * 0.08 };
  return `M${round(from.x)} ${round(from.y)}Q${round(middle.x)} ${round(middle.y)} ${round(to.x)} ${round(to.y)}`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
