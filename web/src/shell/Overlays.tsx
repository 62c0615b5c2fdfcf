import { lazy, Suspense } from "react";
import { closeOverlay, useOverlay } from "./overlays.ts";

const LeadModal = lazy(() => import("../lead/LeadModal.tsx"));
const LoginModal = lazy(() => import("../login/LoginModal.tsx"));

/** Draws the overlay that is open; each brings its own chunk when it is first opened. */
export function Overlays() {
  const overlay = useOverlay();
  switch (overlay.kind) {
    case "none":
    case "menu":
    case "search":
      return null;
    case "login":
      return (
        <Suspense fallback={null}>
          <LoginModal next={overlay.next} onClose={closeOverlay} />
        </Suspense>
      );
    case "lead":
      return (
        <Suspense fallback={null}>
          <LeadModal inventory={overlay.inventory} variant={overlay.variant} onClose={closeOverlay} />
        </Suspense>
      );
  }
}
