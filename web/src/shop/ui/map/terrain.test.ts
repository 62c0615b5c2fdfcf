import { expect, test } from "vitest";
import areas from "../../../../../catalogue/facts/areas.csv?raw";
import universities from "../../../../../catalogue/facts/universities.csv?raw";
import { FALLBACK } from "../../../i18n/languages.ts";
import { nameIn } from "./mapNames.ts";
import { type Point, project, unitsPerMetre } from "./projection.ts";
import { type Feature, isWithin, smooth, terrain } from "./terrain.ts";

interface Fact {
  city: string;
  name: string;
  at: Point;
  metre: number;
}

function facts(text: string): Fact[] {
  const [, ...rows] = text.trim().split("\n");
  return rows.flatMap((row) => {
    const cells = row.match(/^([^,]+),("[^"]*"|[^,]*),(-?[\d.]+),(-?[\d.]+)/);
    if (!cells) return [];
    const [, city = "", name = "", lat, lng] = cells;
    const place = { lat: Number(lat), lng: Number(lng) };
    return [{ city, name, at: project(place), metre: unitsPerMetre(place.lat) }];
  });
}

test("no area and no university of the catalogue lies in the water", () => {
  const places = [...facts(areas), ...facts(universities)];
  expect(places.length).toBeGreaterThan(700);
  const drowned = places.flatMap((place) =>
    terrain()
      // A canal is drawn wider than it is; houses stand on its banks.
      .filter((feature) => feature.look !== "park" && (feature.look === "water" || feature.width > 50 * place.metre))
      .filter((feature) => isInside(place.at, feature))
      .map((feature) => `${place.name}, ${place.city}, in ${nameIn(feature.names, FALLBACK) || "a nameless water"}`),
  );
  expect(drowned).toEqual([]);
});

test("every name on the ground is there in all its languages", () => {
  const named = terrain().map(({ names }) => Object.values(names));
  expect(named.filter((names) => names.length < 2 || new Set(names.map((name) => name === "")).size > 1)).toEqual([]);
  expect(terrain().every(({ points }) => points.every(({ x, y }) => Number.isFinite(x + y)))).toBe(true);
});

test("a smooth line goes through its points", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 5 },
    { x: 20, y: 0 },
  ];
  expect(smooth(points, false)).toMatch(/^M0 0C.* 10 5C.* 20 0$/);
  expect(smooth(points, true)).toMatch(/ 0 0Z$/);
});

function isInside(at: Point, { look, points, width }: Feature): boolean {
  if (look === "river") {
    return points.slice(1).some((to, before) => away(at, points[before] ?? to, to) < width / 2);
  }
  return isWithin(at, points);
}

function away(at: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((at.x - from.x) * dx + (at.y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const on = Math.min(1, Math.max(0, along));
  return Math.hypot(at.x - from.x - on * dx, at.y - from.y - on * dy);
}
