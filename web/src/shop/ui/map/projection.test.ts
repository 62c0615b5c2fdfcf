import { expect, test } from "vitest";
import { canBeHit, cluster, movedAside, tooNear } from "./clusters.ts";
import { apart } from "./Labels.tsx";
import {
  boundsOf,
  project,
  shiftedInto,
  shiftedOutOf,
  toWindow,
  uncovered,
  unitsPerMetre,
  unproject,
  viewOf,
  viewOfBounds,
  zoomAt,
} from "./projection.ts";

const london = { lat: 51.5246, lng: -0.134 };
const size = { width: 600, height: 800 };

test("zooming keeps the point under the finger where it is", () => {
  const view = { center: project(london), zoom: 13 };
  const at = { x: 100, y: 650 };
  const inside = { x: view.center.x + (at.x - 300) / 2 ** 13, y: view.center.y + (at.y - 400) / 2 ** 13 };
  const after = toWindow(inside, zoomAt(view, 1.5, at, size), size);
  expect(after.x).toBeCloseTo(at.x, 6);
  expect(after.y).toBeCloseTo(at.y, 6);
});

test("fitted places are all in the window", () => {
  const places = [london, { lat: 51.55, lng: -0.05 }, { lat: 51.49, lng: -0.2 }].map(project);
  const view = viewOf(places, size);
  for (const place of places) {
    const { x, y } = toWindow(place, view, size);
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(size.width);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(size.height);
  }
});

test("a mile on the map is a mile on the ground", () => {
  const north = { lat: london.lat + 1609 / 111_195, lng: london.lng };
  const drawn = project(london).y - project(north).y;
  expect(drawn / (1609 * unitsPerMetre(london.lat))).toBeCloseTo(1, 2);
});

test("pins that would cover each other become one cluster", () => {
  const at = (x: number, y: number) => ({ pin: `${x}`, at: { x, y } });
  expect(cluster([at(0, 0), at(10, 5), at(300, 0)]).map(({ pins }) => pins.length)).toEqual([2, 1]);
});

test("a place found by its point is the place it was drawn from", () => {
  const back = unproject(project(london));
  expect(back.lat).toBeCloseTo(london.lat, 9);
  expect(back.lng).toBeCloseTo(london.lng, 9);
});

test("what the window shows brings the same window back", () => {
  const view = { center: project(london), zoom: 13.4 };
  const bounds = boundsOf(view, size);
  expect(bounds.south).toBeLessThan(london.lat);
  expect(bounds.east).toBeGreaterThan(london.lng);
  const again = viewOfBounds(bounds, size);
  expect(again.zoom).toBeCloseTo(view.zoom, 2);
  expect(again.center.x).toBeCloseTo(view.center.x, 4);
});

test("places are fitted into what no bar and no card covers", () => {
  const covered = { top: 64, bottom: 164 };
  const places = [london, { lat: 51.55, lng: -0.05 }, { lat: 51.44, lng: -0.2 }].map(project);
  const view = shiftedInto(viewOf(places, uncovered(size, covered)), covered);
  for (const place of places) {
    const { y } = toWindow(place, view, size);
    expect(y).toBeGreaterThan(covered.top);
    expect(y).toBeLessThan(size.height - covered.bottom);
  }
  const bounds = boundsOf(shiftedOutOf(view, covered), uncovered(size, covered));
  const again = shiftedInto(viewOfBounds(bounds, uncovered(size, covered)), covered);
  expect(again.center.y).toBeCloseTo(view.center.y, 3);
});

// A name steps aside from a pin, and is left out rather than drawn over another.
test("a name moves away from a pin or is left out", () => {
  const label = (name: string, x: number, y: number) => ({ name, at: { x, y }, look: "area" }) as const;
  const [moved] = apart([label("Bloomsbury", 100, 100)], [{ x: 100, y: 104 }], size);
  expect(Math.abs((moved?.at.y ?? 0) - 100)).toBeGreaterThan(20);
  const crowd = [60, 100, 140].flatMap((y) => [label(`A${y}`, 100, y), label(`B${y}`, 104, y)]);
  const kept = apart(crowd, [], size);
  expect(kept.length).toBeGreaterThan(2);
  for (const { at } of kept) {
    const near = kept.filter((other) => Math.abs(other.at.y - at.y) < 18 && Math.abs(other.at.x - at.x) < 24);
    expect(near).toHaveLength(1);
  }
  expect(apart([label("Atlantic Ocean", 4, 100)], [], size)).toEqual([]);
});

// A pin is drawn where it can be hit: not at the map's edge, not under the zoom buttons.
test("pins are drawn only where they can be hit", () => {
  const size = { width: 400, height: 600 };
  expect(canBeHit({ x: 200, y: 300 }, size)).toBe(true);
  for (const at of [
    { x: 2, y: 300 },
    { x: 398, y: 300 },
    { x: 200, y: 12 },
    { x: 200, y: 616 },
    { x: 360, y: 80 },
  ]) {
    expect(canBeHit(at, size), JSON.stringify(at)).toBe(false);
  }
  expect(canBeHit({ x: 360, y: 180 }, size)).toBe(true);
  const covered = { top: 64, bottom: 164 };
  expect([80, 300, 450].map((y) => canBeHit({ x: 100, y }, size, covered))).toEqual([false, true, false]);
});

// A home that is pointed at leaves its cluster and is drawn last.
test("a pointed-at home leaves its cluster and is drawn last", () => {
  const at = { x: 100, y: 100 };
  const pins = ["a", "b", "c"].map((pin) => ({ pin, at }));
  const groups = cluster(pins, undefined, (pin) => pin === "b");
  expect(groups.map((group) => group.pins)).toEqual([["a", "c"], ["b"]]);
});

// A cluster under the chosen pin is moved beside it, off the others.
test("a cluster under the chosen pin moves beside it", () => {
  const at = { x: 300, y: 400 };
  const chosen = { at, pins: ["chosen"] };
  const above = { at: { x: 300, y: 340 }, pins: ["a"] };
  const [cluster, other, alone] = movedAside(
    [{ at: { x: 305, y: 402 }, pins: ["b", "c"] }, above, chosen],
    (pin) => pin === "chosen",
    size,
  );
  expect(cluster?.at).toEqual({ x: 300, y: 400 + tooNear.y });
  expect(other).toEqual(above);
  expect(alone).toEqual(chosen);
});
