import { type ComponentType, lazy } from "react";
import { fetchMissingStyles } from "./styleSheets.ts";

/** The code of a part of the page did not come: the network was lost, or a deploy took it away. */
export class PartMissing extends Error {
  override name = "PartMissing";
}

const missing = new Set<() => void>();

/** Asks anew for the parts that did not come, when each is drawn next. */
export function fetchMissingParts(): void {
  for (const fetchAnew of missing) fetchAnew();
  missing.clear();
}

/** A part whose code comes when it is first drawn. `lazy` alone keeps a failure for as long as the page lives. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const part = () =>
    lazy(() =>
      fetchMissingStyles()
        .then(load)
        .then(
          (Loaded) => ({ default: Loaded }),
          () => {
            missing.add(() => {
              Part = part();
            });
            throw new PartMissing();
          },
        ),
    );
  let Part = part();
  return (props: P) => <Part {...props} />;
}
