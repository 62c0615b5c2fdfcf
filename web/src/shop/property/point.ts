import type { PropertyPage } from "../../contract/wire.ts";
import type { LatLng } from "../ui/map/projection.ts";

/** Where the home stands; null where nobody said more than its city. */
export function pointOf({ lat, lng }: PropertyPage): LatLng | null {
  return lat == null || lng == null ? null : { lat, lng };
}

/** True where there is something to show of its place or of what is near. */
export function hasLocation(property: PropertyPage): boolean {
  const { universities, places } = property.nearby;
  return pointOf(property) !== null || universities.length > 0 || places.length > 0;
}
