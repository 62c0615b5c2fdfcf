import { Suspense } from "react";
import { ErrorBoundary } from "../../../ui/errorBoundary.tsx";
import { lazyPart } from "../../../ui/lazyPart.tsx";
import { useRecentlyViewed } from "./recentlyViewed.ts";

// Nobody has viewed anything on a first visit: the shelf comes when there is something to put on it.
const ViewedShelf = lazyPart(async () => (await import("./ViewedShelf.tsx")).ViewedShelf);

/** Homes looked at in this browser; nothing where there are none. */
export function RecentlyViewed() {
  const homes = useRecentlyViewed();
  if (homes.length === 0) return null;
  return (
    <ErrorBoundary onFailed={() => undefined}>
      <Suspense fallback={null}>
        <ViewedShelf homes={homes.slice(0, 4)} />
      </Suspense>
    </ErrorBoundary>
  );
}
