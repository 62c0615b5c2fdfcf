import "../../styles/map.css";
import { type ComponentProps, Suspense } from "react";
import { ErrorBoundary } from "../../../ui/errorBoundary.tsx";
import { lazyPart } from "../../../ui/lazyPart.tsx";

const load = () => import("./PlaceMap.tsx");

/** The map's code comes by itself, after the page. */
const DrawnMap = lazyPart(async () => (await load()).PlaceMap);

/** Asks for the map's code before anything is drawn, where the page opens with a map. */
export function fetchMap(): void {
  // A map that cannot be had says so where it would stand.
  void load().catch(() => undefined);
}

/** The map, or what stands in its place until its code is there. */
export function PlaceMap(props: ComponentProps<typeof DrawnMap>) {
  return (
    <ErrorBoundary>
      <Suspense fallback={<MapComing />}>
        <DrawnMap {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The paper the map will be drawn on, until its code is there. */
export function MapComing() {
  return <div className="map map-coming" aria-hidden="true" />;
}
