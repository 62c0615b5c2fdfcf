import { expect, test } from "vitest";
import { cluster } from "./clusters.ts";
import { project, toWindow, unitsPerMetre, viewOf, zoomAt } from "./projection.ts";

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
