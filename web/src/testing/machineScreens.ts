import type { AnyStateMachine } from "xstate";

/** Every state of a machine, its inner states with it. */
function statesOf(machine: AnyStateMachine): unknown[] {
  return Object.values(machine.root.states).flatMap((outer): unknown[] => {
    const inner = Object.keys(outer.states);
    if (inner.length === 0) return [outer.key];
    if (outer.type !== "parallel") return inner.map((name) => ({ [outer.key]: name }));
    const [first = "", second = ""] = inner;
    const names = (region: string) => Object.keys(outer.states[region]?.states ?? {});
    return names(first).flatMap((one) =>
      names(second).map((two) => ({ [outer.key]: { [first]: one, [second]: two } })),
    );
  });
}

/** The outer name of a state. */
export const outerState = (value: unknown) => String(typeof value === "string" ? value : Object.keys(Object(value))[0]);

/**
 * The names of all screens that show any state of a machine with any of the contexts, but those that wait for the server: nothing is
 * to be read on them yet.
 */
export function screensOf(
  machine: AnyStateMachine,
  contextsOf: (value: unknown) => readonly object[],
  shown: (snapshot: never) => string | null,
): string[] {
  const names = statesOf(machine).flatMap((value) =>
    contextsOf(value).map((context) => shown(machine.resolveState({ value, context } as never) as never)),
  );
  return [...new Set(names)]
    .filter((name) => name !== null)
    .filter((name) => name !== "loading" && !name.endsWith("_busy"))
    .sort();
}
