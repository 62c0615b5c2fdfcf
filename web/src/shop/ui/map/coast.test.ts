import { expect, test } from "vitest";
import facts from "../../../../../catalogue/facts/cities.csv?raw";
import { coast } from "./coast.ts";
import { project } from "./projection.ts";
import { isWithin } from "./terrain.ts";

const [, ...rows] = facts.trim().split("\n");
const cities = rows.map((line) => line.split(","));

test("every city of the catalogue lies on land, and in no lake", () => {
  const within = (look: "land" | "lake", at: { x: number; y: number }) =>
    coast().some((shape) => shape.look === look && isWithin(at, shape.points));
  // A harbour's middle may lie a few kilometres off a simplified shore.
  const near = [0, 0.08, -0.08];
  const wet = cities.filter(([, , , , , , lat, lng]) => {
    const around = near.flatMap((up) => near.map((right) => ({ lat: Number(lat) + up, lng: Number(lng) + right })));
    return !around.some((place) => within("land", project(place)) && !within("lake", project(place)));
  });
  expect(cities.length).toBeGreaterThan(40);
  expect(wet.map(([, , name]) => name)).toEqual([]);
});
