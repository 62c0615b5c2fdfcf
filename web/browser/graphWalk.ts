import type { Page } from "playwright-core";

/** A step table as the server's rules compute it: state → event → next state. */
export type StepTable = Record<string, Record<string, string>>;

/** One transition of a machine. */
export interface Edge {
  from: string;
  event: string;
  to: string;
}

/** Every transition of a table. */
export function edgesOf(table: StepTable): Edge[] {
  return Object.entries(table).flatMap(([from, steps]) =>
    Object.entries(steps).map(([event, to]) => ({ from, event, to })),
  );
}

export const nameOf = ({ from, event, to }: Edge): string => `${from} –${event}→ ${to}`;

/** The shortest way from the start to a state; null where none of the edges leads there. */
export function wayTo(table: StepTable, start: string, goal: string, closed: ReadonlySet<string> = new Set()) {
  const edges = edgesOf(table).filter((edge) => !closed.has(`${edge.from}.${edge.event}`));
  const ways = new Map<string, Edge[]>([[start, []]]);
  const queue = [start];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const edge of edges.filter(({ from, to }) => from === at && !ways.has(to))) {
      ways.set(edge.to, [...(ways.get(at) ?? []), edge]);
      queue.push(edge.to);
    }
  }
  return ways.get(goal) ?? null;
}

/** How to make one event happen in one state, knowing which events follow. */
export type Drive<S> = (stage: S, following: readonly Edge[]) => Promise<void>;

interface Walk<S> {
  table: StepTable;
  start: string;
  /** Events by `state.event`, or by event alone where every state drives it the same way. */
  drives: Record<string, Drive<S>>;
  /** Not used on the way to another edge, because they end the story or take long. */
  avoid?: ReadonlySet<string>;
}

/** Drives the way to an edge and the edge itself, and answers the states that were seen on screen. */
export async function walkEdge<S>(walk: Walk<S>, edge: Edge, stage: S, reached: (state: string) => Promise<string>) {
  const way = wayTo(walk.table, walk.start, edge.from, walk.avoid);
  if (!way) throw new Error(`no way leads to ${edge.from}`);
  const steps = [...way, edge];
  const seen: string[] = [];
  for (const [at, step] of steps.entries()) {
    const drive = walk.drives[`${step.from}.${step.event}`] ?? walk.drives[step.event];
    if (!drive) throw new Error(`nobody knows how to drive ${nameOf(step)}`);
    await drive(stage, steps.slice(at + 1));
    seen.push(await reached(step.to));
    if (seen.at(-1) !== step.to) return seen;
  }
  return seen;
}

/** Waits until an attribute of the page names a state; answers the state it names then, or instead. */
export async function settleOn(page: Page, attribute: string, state: string): Promise<string> {
  const element = page.locator(`[${attribute}="${state}"]`).first();
  await element.waitFor({ state: "attached", timeout: 60_000 }).catch(() => undefined);
  return (await page.locator(`[${attribute}]`).first().getAttribute(attribute)) ?? "";
}

/** Holds requests back until they are let go, or cut: how a screen is kept in a state that lasts a moment. */
export class Gate {
  private waiting: ((act: "pass" | "cut") => void)[] = [];
  private next: "hold" | "pass" | "cut" = "pass";

  async install(page: Page, method: string, path: RegExp): Promise<void> {
    await page.route(path, async (route) => {
      if (route.request().method() !== method) return route.fallback();
      const act = this.next === "hold" ? await new Promise<"pass" | "cut">((go) => this.waiting.push(go)) : this.next;
      return act === "pass" ? route.fallback() : route.abort("connectionreset");
    });
  }

  hold(): void {
    this.next = "hold";
  }

  /** Lets what waits go on, and everything after it. */
  pass(): void {
    this.next = "pass";
    this.let("pass");
  }

  /** Cuts what waits; what comes after it passes. */
  cut(): void {
    this.next = "pass";
    this.let("cut");
  }

  /** Cuts everything until `pass`. */
  cutAll(): void {
    this.next = "cut";
    this.let("cut");
  }

  private let(act: "pass" | "cut"): void {
    for (const go of this.waiting.splice(0)) go(act);
  }
}
