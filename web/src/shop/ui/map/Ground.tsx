import type { ReactNode } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { Coast, coastZoom, seaNames } from "./Coast.tsx";
import { type Label, Labels } from "./Labels.tsx";
import { nameIn } from "./mapNames.ts";
import type { MapArea, MapCenter } from "./PlaceMap.tsx";
import { type Point, project, type Size, toWindow, unitsPerMetre, type View } from "./projection.ts";
import { chance, type Feature, isWithin, smooth, terrain } from "./terrain.ts";

interface GroundProps {
  view: View;
  size: Size;
  center: MapCenter;
  areas: readonly MapArea[];
  /** Places too near to a larger one to be pressed. */
  towns: readonly MapArea[];
  /** Circles at these distances from the centre, with their names. */
  rings: readonly { metres: number; name: string }[];
  /** Where pins stand: names keep away from them. */
  taken: readonly Point[];
}

/**
 * The map's paper. No tile server is asked: positions of centre, areas and homes are exact, water and parks are
 * simplified, and the streets between them are a quiet pattern.
 */
export function Ground(props: GroundProps) {
  const { lang } = useI18n();
  const { view, size, towns, taken } = props;
  const place = (point: Point) => toWindow(point, view, size);
  const isCity = view.zoom > coastZoom;
  const dots = towns.map((town) => ({ name: town.name, at: place(project(town)), look: "town" as const }));
  if (isCity) return <CityGround {...props} place={place} />;
  return (
    <svg className="ground" width={size.width} height={size.height} aria-hidden="true">
      <Coast view={view} size={size} place={place} />
      {dots.map(({ name, at }) => (
        <circle key={name} className="town-dot" cx={at.x} cy={at.y} r={4} />
      ))}
      <Labels labels={[...dots, ...seaNames(place, lang)]} taken={taken} size={size} />
    </svg>
  );
}

function CityGround({ view, size, center, areas, rings, taken, place }: GroundProps & { place: Place }) {
  const { lang } = useI18n();
  const middle = place(project(center));
  const scale = 2 ** view.zoom * unitsPerMetre(center.lat);
  const features = terrain().filter((feature) => isInView(feature, view, size));
  const drawn = rings.filter((ring) => ring.metres * scale > 70);
  const ringNames = drawn.map((ring) => ({ x: middle.x, y: middle.y - ring.metres * scale }));
  const names: Label[] = areas.map((area) => ({ name: area.name, at: place(project(area)), look: "area" }));
  return (
    <svg className="ground" width={size.width} height={size.height} aria-hidden="true">
      <rect width="100%" height="100%" fill="var(--map-land)" />
      <Blocks size={size} middle={middle} step={blockMetres * scale} />
      {view.zoom > 10 ? <Streets view={view} size={size} origin={middle} /> : null}
      <Terrain features={features} place={place} zoom={view.zoom}>
        {scale > 0.01 ? <Avenues middle={middle} scale={scale} /> : null}
      </Terrain>
      {drawn.map((ring) => (
        <g key={ring.metres}>
          <circle className="ring" cx={middle.x} cy={middle.y} r={ring.metres * scale} strokeWidth={2} />
          <text className="ring-name" x={middle.x} y={middle.y - ring.metres * scale - 8}>
            {ring.name}
          </text>
        </g>
      ))}
      <Labels
        labels={[...names, ...featureNames(features, place, size, lang)]}
        taken={[...taken, ...ringNames]}
        size={size}
      />
    </svg>
  );
}

type Place = (point: Point) => Point;

function isInView({ left, right, top, bottom }: Feature, view: View, size: Size): boolean {
  const scale = 2 ** view.zoom;
  const [wide, high] = [(size.width / 2 + 40) / scale, (size.height / 2 + 40) / scale];
  const { x, y } = view.center;
  const isLarge = Math.max(right - left, bottom - top) * scale > 6;
  return isLarge && left < x + wide && right > x - wide && top < y + high && bottom > y - high;
}

interface TerrainProps {
  features: readonly Feature[];
  place: (point: Point) => Point;
  zoom: number;
  children: ReactNode;
}

/** Parks, rivers and shores; roads bridge a river and end at a shore. */
function Terrain({ features, place, zoom, children }: TerrainProps) {
  const outline = ({ points }: Feature) => smooth(points.map(place), true);
  const of = (look: Feature["look"]) => features.filter((feature) => feature.look === look);
  return (
    <>
      <path d={of("park").map(outline).join("")} fill="var(--map-park)" />
      <g fill="none" stroke="var(--map-water)" strokeLinecap="round" strokeLinejoin="round">
        {of("river").map((river) => (
          <path
            key={river.left + river.top}
            d={smooth(river.points.map(place), false)}
            strokeWidth={Math.max(zoom > 11 ? 4 : 2, river.width * 2 ** zoom)}
          />
        ))}
      </g>
      {children}
      <path d={of("water").map(outline).join("")} fill="var(--map-water)" />
    </>
  );
}

/** Names of what is large enough to carry one: in the middle of a park, along a river. */
function featureNames(features: readonly Feature[], place: (point: Point) => Point, size: Size, lang: string): Label[] {
  const inside = ({ x, y }: Point) => x > 40 && y > 24 && x < size.width - 40 && y < size.height - 24;
  return features.flatMap((feature): Label[] => {
    const name = nameIn(feature.names, lang);
    if (!name) return [];
    const from = place({ x: feature.left, y: feature.top });
    const to = place({ x: feature.right, y: feature.bottom });
    if (feature.look === "park") {
      const at = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      return to.x - from.x > name.length * 5 && inside(at) ? [{ name, at, look: "park" }] : [];
    }
    const points = feature.points.map(place);
    const middles = points.slice(1).flatMap((point, before) => {
      const other = points[before] ?? point;
      const at = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 };
      const long = Math.hypot(point.x - other.x, point.y - other.y);
      return long > 40 && inside(at) ? [{ at, turn: turnOf(other, point) }] : [];
    });
    const [chosen] = feature.look === "river" ? middles.slice(Math.floor(middles.length / 2)) : [];
    if (chosen) return [{ name, ...chosen, look: "water" }];
    const at = { x: (Math.max(0, from.x) + Math.min(size.width, to.x)) / 2, y: (from.y + to.y) / 2 };
    const isOn = feature.look === "water" && to.x - from.x > 120 && inside(at);
    return isOn && isWithin(at, points) ? [{ name, at, look: "water" }] : [];
  });
}

/** Degrees along a line, never upside down. */
function turnOf(from: Point, to: Point): number {
  const degrees = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return degrees > 90 ? degrees - 180 : degrees < -90 ? degrees + 180 : degrees;
}

const tilt = -0.2;
const crossing = 1.36;
const blockMetres = 620;

/** Quiet blocks between the streets, always in the same places around the same centre. */
function Blocks({ size, middle, step }: { size: Size; middle: Point; step: number }) {
  if (step < 34) return null;
  const reach = Math.ceil(Math.hypot(size.width, size.height) / step) + 1;
  const offset = {
    x: Math.round((size.width / 2 - middle.x) / step),
    y: Math.round((size.height / 2 - middle.y) / step),
  };
  const blocks: string[] = [];
  for (let row = offset.y - reach; row <= offset.y + reach; row += 1) {
    for (let column = offset.x - reach; column <= offset.x + reach; column += 1) {
      const luck = chance(column, row);
      if (luck > 0.16) continue;
      const wide = step * (0.55 + ((luck * 97) % 0.4));
      blocks.push(quad(middle.x + column * step, middle.y + row * step, wide, wide * 0.72));
    }
  }
  return <path d={blocks.join("")} fill="var(--map-block)" opacity=".7" />;
}

function quad(x: number, y: number, wide: number, high: number): string {
  const along = { x: Math.cos(tilt), y: Math.sin(tilt) };
  const corner = (a: number, b: number) =>
    `${round(x + a * wide * along.x - b * high * along.y)} ${round(y + a * wide * along.y + b * high * along.x)}`;
  return `M${corner(-0.5, -0.5)}L${corner(0.5, -0.5)}L${corner(0.46, 0.5)}L${corner(-0.5, 0.44)}Z`;
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
      <path d={family(crossing, gap * 1.15)} />
    </g>
  );
}

/** Wide roads past the centre: how far from it they run, in metres, along which streets, and how wide on screen. */
const avenues = [
  { past: 350, angle: tilt, wide: 13 },
  { past: -1500, angle: tilt, wide: 11 },
  { past: 2300, angle: tilt, wide: 9 },
  { past: 420, angle: crossing, wide: 11 },
  { past: -1150, angle: crossing, wide: 9 },
  { past: 2100, angle: crossing, wide: 9 },
];
const avenueMetres = 12_000;

function Avenues({ middle, scale }: { middle: Point; scale: number }) {
  const grown = Math.min(1, Math.max(0.4, scale * 14));
  const lines = avenues.map(({ past, angle, wide }) => {
    const along = { x: Math.cos(angle), y: Math.sin(angle) };
    const points = Array.from({ length: 17 }, (_, n) => {
      const far = ((n - 8) / 8) * avenueMetres;
      const beside = past + 260 * Math.sin(far / 1300 + past);
      return {
        x: middle.x + (far * along.x - beside * along.y) * scale,
        y: middle.y + (far * along.y + beside * along.x) * scale,
      };
    });
    return { past, d: smooth(points, false), wide: wide * grown };
  });
  return (
    <g fill="none" strokeLinecap="round">
      {lines.map(({ past, d, wide }) => (
        <path key={past} d={d} stroke="#fff" strokeWidth={wide} />
      ))}
      <path d={lines[0]?.d} stroke="#EADFC8" strokeWidth={5 * grown} />
    </g>
  );
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
