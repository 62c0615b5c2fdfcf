import { type ReactNode, Suspense } from "react";
import { ErrorBoundary } from "./errorBoundary.tsx";

/** The place of a part whose code is on its way: `meanwhile` stands there, and another try where the code does not come. */
export function Arriving({ meanwhile = null, children }: { meanwhile?: ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary>
      <Suspense fallback={meanwhile}>{children}</Suspense>
    </ErrorBoundary>
  );
}
