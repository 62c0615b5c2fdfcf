import { useEffect } from "react";
import { expect } from "vitest";

type Arrival = typeof import("../ui/arrival.ts");

/** The screens that are drawn now, and those on which a test found the focus at its place, as `payment: paid`. */
const drawn = new Set<string>();
const arrived = new Set<string>();

let original: Arrival | null = null;

/** Tells here which screen is drawn, then does as the hook of the pages. */
const useArrival: Arrival["useArrival"] = (screen, options) => {
  useEffect(() => {
    if (screen === null) return;
    drawn.add(screen);
    return () => void drawn.delete(screen);
  }, [screen]);
  original?.useArrival(screen, options);
};

/** The module with a hook that tells here which screen is drawn. */
export function recordArrivals(module: Arrival): Arrival {
  original = module;
  return { ...module, useArrival };
}

/** The focus is at its place on what is drawn now; the machine is the first word of the test's name. */
export function noteArrival(): void {
  const machine = expect.getState().currentTestName?.split(":")[0];
  for (const screen of drawn) arrived.add(`${machine}: ${screen}`);
}

/** The screens of a machine on which no test found the focus. */
export function withoutArrival(machine: string, screens: readonly string[]): string[] {
  return screens.filter((screen) => !arrived.has(`${machine}: ${screen}`));
}
