import "../../styles/map.css";
import { lazy } from "react";

const load = () => import("./PlaceMap.tsx");

/** The map's code comes by itself, after the page. */
export const PlaceMap = lazy(async () => ({ default: (await load()).PlaceMap }));

/** Asks for the map's code before anything is drawn, where the page opens with a map. */
export function fetchMap(): void {
  // A map that cannot be had says so where it would stand.
  void load().catch(() => undefined);
}

/** The paper the map will be drawn on, until its code is there. */
export function MapComing() {
  return <div className="map map-coming" aria-hidden="true" />;
}
