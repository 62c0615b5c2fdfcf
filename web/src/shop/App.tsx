import { ErrorBoundary } from "../ui/errorBoundary.tsx";
import { type Screen, useShown } from "./navigation.ts";
import { PageTree } from "./PageTree.tsx";

/** The browser's application: whatever page navigation has put on screen. */
export function App({ first }: { first: Screen }) {
  const { screen } = useShown();
  const { url, payload, view, frame } = screen ?? first;
  return (
    <PageTree payload={payload} frame={frame}>
      <ErrorBoundary key={url.split("?")[0]}>{view(payload)}</ErrorBoundary>
    </PageTree>
  );
}
