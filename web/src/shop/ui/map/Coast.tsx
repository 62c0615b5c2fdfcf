import { coast, type Shape, seas } from "./coast.ts";
import type { Label } from "./Labels.tsx";
import { nameIn } from "./mapNames.ts";
import { type Point, project, type Size, type View } from "./projection.ts";

/** Above this zoom the map is a city's: its own water is drawn, and these shores would be too coarse. */
export const coastZoom = 8.6;

/** Sea, land, great lakes and borders: the paper of a country's map. */
export function Coast({ view, size, place }: { view: View; size: Size; place: (point: Point) => Point }) {
  const shown = coast().filter((shape) => isInView(shape, view, size));
  const drawn = (look: Shape["look"]) =>
    shown
      .filter((shape) => shape.look === look)
      .map(({ points }) => `M${points.map(place).map(written).join("L")}${look === "border" ? "" : "Z"}`)
      .join("");
  return (
    <>
      <rect width="100%" height="100%" fill="var(--map-water)" />
      <path className="coast" d={drawn("land")} />
      <path
        d={drawn("lake")}
        fill="var(--map-water)"
        stroke="var(--map-water)"
        strokeWidth={3}
        strokeLinejoin="round"
      />
      <path className="border" d={drawn("border")} />
    </>
  );
}

/** The seas in view. */
export function seaNames(place: (point: Point) => Point, lang: string): Label[] {
  return seas().map((sea) => ({ name: nameIn(sea.names, lang), at: place(project(sea)), look: "water" }));
}

function isInView({ left, right, top, bottom }: Shape, { center, zoom }: View, size: Size): boolean {
  const [wide, high] = [size.width / 2 ** (zoom + 1), size.height / 2 ** (zoom + 1)];
  return left < center.x + wide && right > center.x - wide && top < center.y + high && bottom > center.y - high;
}

function written({ x, y }: Point): string {
  return `${Math.round(x * 2) / 2} ${Math.round(y * 2) / 2}`;
}
