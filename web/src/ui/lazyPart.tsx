import { type ComponentType, lazy } from "react";
import { fetchMissingStyles } from "./styleSheets.ts";

/** The code of a part of the page did not come: the network was lost, or a deploy took it away. */
export class PartMissing extends Error {
  override name = "PartMissing";
  /** The server answers and has the file no more: a newer document names the one in its place. */
  readonly isReplaced: boolean;

  constructor(isReplaced: boolean) {
    super(isReplaced ? "the part was replaced" : "the part did not come");
    this.isReplaced = isReplaced;
  }

  /** As what a request failed with: the same screens say it. */
  get code(): "replaced" | "offline" {
    return this.isReplaced ? "replaced" : "offline";
  }
}

/** A server that says nothing for so long, in milliseconds, is out of reach. */
const ANSWER_MS = 10_000;

/** Tells why a file of the page did not come, by asking whether its server is there. */
export async function findMissing(): Promise<PartMissing> {
  try {
    const { status } = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    return new PartMissing(status < 500);
  } catch {
    return new PartMissing(false);
  }
}

/** Loads code that is needed for one act alone. */
export const loadPart = <T,>(load: Promise<T>): Promise<T> =>
  load.catch(async () => {
    throw await findMissing();
  });

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
          async () => {
            missing.add(() => {
              Part = part();
            });
            throw await findMissing();
          },
        ),
    );
  let Part = part();
  return (props: P) => <Part {...props} />;
}
