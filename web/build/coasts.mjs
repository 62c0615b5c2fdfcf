// Writes src/shop/ui/map/coastFacts.ts from the npm package world-atlas (Natural Earth, public domain), unpacked somewhere:
// `node build/coasts.mjs FOLDER`. Its result is checked in: shores do not move.
import { readFileSync, writeFileSync } from "node:fs";

const [folder = "."] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));

/** Where the catalogue's countries lie, the finest first: what is smaller than so many degrees is left out. */
const parts = [
  { south: 49, north: 61.5, west: -11.5, east: 2.5, degrees: 0.025 },
  { south: 34.5, north: 60, west: -12, east: 20, degrees: 0.07 },
  { south: 22, north: 51.5, west: -128, east: -62, degrees: 0.12 },
  { south: 12, north: 66, west: -140, east: -50, degrees: 0.35 },
  { south: -45, north: -9, west: 110, east: 156, degrees: 0.12 },
  { south: -50, north: 5, west: 95, east: 180, degrees: 0.4 },
  { south: 28, north: 72, west: -25, east: 45, degrees: 0.3 },
];
const elsewhere = 1;
/** Points stand on a grid of a fortieth of a degree. */
const grain = 40;

const coarseness = ([lng, lat]) =>
  parts.find((part) => lat > part.south && lat < part.north && lng > part.west && lng < part.east)?.degrees ??
  elsewhere;

/** TopoJSON's arcs as longitude and latitude. */
function arcsOf({ arcs, transform: { scale, translate } }) {
  return arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([right, up]) => {
      x += right;
      y += up;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
}

/** How far a point lies from a line, in degrees of latitude. */
function distance(point, from, to) {
  const narrow = Math.cos((point[1] * Math.PI) / 180);
  const [px, py, ax, ay, bx, by] = [point, from, to].flatMap(([lng, lat]) => [lng * narrow, lat]);
  const long = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = long === 0 ? 0 : ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / long;
  const at = Math.max(0, Math.min(1, along));
  return Math.hypot(px - ax - at * (bx - ax), py - ay - at * (by - ay));
}

/** Douglas and Peucker's line, coarser where nothing of ours lies. */
function simple(points) {
  const [first, last] = [points[0], points.at(-1)];
  let [far, at] = [1, -1];
  points.slice(1, -1).forEach((point, n) => {
    const off = distance(point, first, last) / coarseness(point);
    if (off > far) [far, at] = [off, n + 1];
  });
  return at < 0 ? [first, last] : [...simple(points.slice(0, at + 1)).slice(0, -1), ...simple(points.slice(at))];
}

function simpleRing(points) {
  const off = points.map((point) => distance(point, points[0], points[0]));
  const far = off.indexOf(Math.max(...off));
  return [...simple(points.slice(0, far + 1)).slice(0, -1), ...simple(points.slice(far))].slice(0, -1);
}

function area(ring) {
  const twice = ring.reduce((sum, [x, y], n) => sum + ring.at(n - 1)[0] * y - x * ring.at(n - 1)[1], 0);
  return Math.abs(twice / 2);
}

/** The first point, then steps from one to the next. */
function written(points) {
  let [x, y] = [0, 0];
  return points
    .map(([lng, lat]) => [Math.round(lng * grain), Math.round(lat * grain)])
    .map(([right, up]) => {
      const step = `${right - x} ${up - y}`;
      [x, y] = [right, up];
      return step;
    })
    .filter((step) => step !== "0 0")
    .join(",");
}

function lands() {
  const world = read("land-50m");
  const arcs = arcsOf(world);
  const ringOf = (ids) => ids.flatMap((id) => (id < 0 ? arcs[~id].toReversed() : arcs[id]).slice(1));
  const polygons = world.objects.land.geometries.flatMap(({ type, arcs: rings }) =>
    type === "Polygon" ? [rings] : rings,
  );
  const isSeen = (ring) =>
    area(ring) > 8 * Math.min(...ring.map(coarseness)) ** 2 && Math.max(...ring.map(([, lat]) => lat)) > -60;
  const rings = polygons.map(([outer]) => ringOf(outer)).filter(isSeen);
  return rings.map(simpleRing).filter((ring) => ring.length > 3);
}

/** Lines that two countries share. */
function borders() {
  const world = read("countries-50m");
  const sides = new Map();
  for (const { arcs = [] } of world.objects.countries.geometries)
    for (const id of arcs.flat(3)) sides.set(id < 0 ? ~id : id, (sides.get(id < 0 ? ~id : id) ?? 0) + 1);
  const shared = arcsOf(world).filter((_, n) => sides.get(n) > 1);
  return shared.filter((arc) => arc.some((point) => coarseness(point) < elsewhere)).map(simple);
}

const lines = [
  ...lands().map((ring) => `land|${written(ring)}`),
  ...borders().map((line) => `border|${written(line)}`),
];
const head = `/**
 * Shores and borders, made by build/coasts.mjs; one per line: kind | longitude latitude of the first point in fortieths of
 * a degree, then the step to each next one.
 */
`;
writeFileSync("src/shop/ui/map/coastFacts.ts", `${head}export const coastFacts = \`\n${lines.join("\n")}\n\`;\n`);
