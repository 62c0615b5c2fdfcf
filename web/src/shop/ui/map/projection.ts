/** A place on earth. */
export interface LatLng {
  lat: number;
  lng: number;
}

/** A point of the flat world, in pixels at zoom 0 (256 wide), or of the window. */
export interface Point {
  x: number;
  y: number;
}

/** What the window looks at; zoom doubles the scale with every whole step. */
export interface View {
  center: Point;
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** What lies over the map along its edges, in px: a bar above, cards below. */
export interface Covered {
  top: number;
  bottom: number;
}

export const nothingCovered: Covered = { top: 0, bottom: 0 };

/** The size of what can be seen. */
export function uncovered({ width, height }: Size, { top, bottom }: Covered = nothingCovered): Size {
  return { width, height: Math.max(1, height - top - bottom) };
}

/** A view of the uncovered part as a view of the whole window. */
export function shiftedInto(view: View, { top, bottom }: Covered = nothingCovered): View {
  return panBy(view, 0, (top - bottom) / 2);
}

/** A view of the whole window as a view of the uncovered part. */
export function shiftedOutOf(view: View, { top, bottom }: Covered = nothingCovered): View {
  return panBy(view, 0, (bottom - top) / 2);
}

const world = 256;
const zoomMin = 3;
const zoomMax = 18;

/** Web Mercator, so that distances near each other keep their shape. */
export function project({ lat, lng }: LatLng): Point {
  const sin = Math.sin((Math.min(85, Math.max(-85, lat)) * Math.PI) / 180);
  return { x: world * (lng / 360 + 0.5), y: world * (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) };
}

/** The place on earth of a point of the flat world. */
export function unproject({ x, y }: Point): LatLng {
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / world))) * 180) / Math.PI;
  return { lat, lng: (x / world - 0.5) * 360 };
}

/** A part of the earth between two parallels and two meridians. */
export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** What the window shows, to about ten metres. */
export function boundsOf(view: View, size: Size): Bounds {
  const scale = 2 ** view.zoom;
  const at = (right: number, down: number) =>
    unproject({
      x: view.center.x + (right * size.width) / 2 / scale,
      y: view.center.y + (down * size.height) / 2 / scale,
    });
  const [first, last] = [at(-1, 1), at(1, -1)];
  const degrees = (n: number, most: number) => Math.round(Math.min(most, Math.max(-most, n)) * 1e4) / 1e4;
  return {
    south: degrees(first.lat, 85),
    west: degrees(first.lng, 180),
    north: degrees(last.lat, 85),
    east: degrees(last.lng, 180),
  };
}

/** The view that shows just this. */
export function viewOfBounds({ south, west, north, east }: Bounds, size: Size): View {
  const ends = [project({ lat: south, lng: west }), project({ lat: north, lng: east })];
  return viewOf(ends, size, zoomMax, 1);
}

export function toWindow(point: Point, view: View, size: Size): Point {
  const scale = 2 ** view.zoom;
  return {
    x: (point.x - view.center.x) * scale + size.width / 2,
    y: (point.y - view.center.y) * scale + size.height / 2,
  };
}

/** Flat-world units per metre at a latitude. */
export function unitsPerMetre(lat: number): number {
  return world / (40_075_016.7 * Math.cos((lat * Math.PI) / 180));
}

/** The view that shows all points with room around them. */
export function viewOf(points: readonly Point[], size: Size, zoomLimit = 15.5, room = 0.78): View {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (size.width * room) / Math.max(right - left, 1e-9),
    (size.height * room) / Math.max(bottom - top, 1e-9),
  );
  return {
    center: { x: (left + right) / 2, y: (top + bottom) / 2 },
    zoom: clampZoom(Math.min(Math.log2(scale), zoomLimit)),
  };
}

/** Zooms by steps and keeps the window point `at` where it is. */
export function zoomAt(view: View, steps: number, at: Point, size: Size): View {
  const zoom = clampZoom(view.zoom + steps);
  const offset = { x: at.x - size.width / 2, y: at.y - size.height / 2 };
  const before = 2 ** view.zoom;
  const after = 2 ** zoom;
  return {
    zoom,
    center: {
      x: view.center.x + offset.x / before - offset.x / after,
      y: view.center.y + offset.y / before - offset.y / after,
    },
  };
}

export function panBy(view: View, dx: number, dy: number): View {
  const scale = 2 ** view.zoom;
  return { ...view, center: { x: view.center.x - dx / scale, y: view.center.y - dy / scale } };
}

function clampZoom(zoom: number): number {
  return Math.min(zoomMax, Math.max(zoomMin, zoom));
}
