/**
 * Where the states of the three machines stand on paper, and which way through them a history took.
 *
 * Coordinates are fixed by hand so that a state is always found at the same spot. Which steps exist comes from the step
 * tables the domain computes (`contract/steps.*.json`); only how an edge is drawn is written here. A step without a drawn
 * route (a late fact from the gateway, say) appears only when it was taken.
 */
export type MachineName = "lead" | "payment" | "form";

export interface Box {
  x: number;
  y: number;
  width: number;
}

export const BOX_HEIGHT = 34;

/** How one step is drawn: an SVG path and the place of its verb. */
export interface Route {
  path: string;
  label?: { x: number; y: number; anchor: "start" | "middle" | "end" };
}

export interface MachineLayout {
  width: number;
  height: number;
  /** The state before the stream's first event. */
  start: string;
  /**
   * What a recorded jump over a state means: a payment was `walked` through the states between (one event may record a
   * confirm and its outcome), a lead or form really went straight, so its jump is `drawn` as one step.
   */
  jumps: "walked" | "drawn";
  boxes: Record<string, Box>;
  /** `from>to` to its drawing. */
  routes: Record<string, Route>;
}

/** `state → event → the state it leads to`, as the domain records it in `contract/steps.*.json`. */
export type StepTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type EdgeMark = "taken" | "possible" | "rest";
export type NodeMark = "current" | "visited" | "rest";

export interface DrawnEdge {
  from: string;
  to: string;
  /** The event the step table names, or `null` for a step it does not know. */
  verb: string | null;
  mark: EdgeMark;
  route: Route;
}

export interface DrawnNode {
  state: string;
  mark: NodeMark;
  box: Box;
}

export interface DrawnMachine {
  layout: MachineLayout;
  current: string;
  /** States in the order they were entered, for the spoken title. */
  visited: string[];
  possible: string[];
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

const PAYMENT: MachineLayout = {
  width: 332,
  height: 418,
  start: "init",
  jumps: "walked",
  boxes: {
    init: { x: 119, y: 3, width: 106 },
    init_failure: { x: 1, y: 3, width: 106 },
    init_loading: { x: 119, y: 75, width: 106 },
    initiated: { x: 113, y: 147, width: 118 },
    processing: { x: 119, y: 219, width: 106 },
    failed: { x: 1, y: 269, width: 106 },
    pending: { x: 112, y: 309, width: 120 },
    success: { x: 119, y: 381, width: 106 },
    sold_out: { x: 254, y: 111, width: 76 },
  },
  routes: {
    "init>init_loading": { path: "M172 37V73", label: { x: 163, y: 60, anchor: "end" } },
    "init_loading>init_failure": { path: "M119 86C76 86 54 72 54 39", label: { x: 62, y: 66, anchor: "end" } },
    "init_failure>init_loading": { path: "M22 37C22 88 70 100 117 100", label: { x: 62, y: 112, anchor: "middle" } },
    "init_loading>sold_out": { path: "M225 86C276 86 292 92 292 109" },
    "initiated>sold_out": { path: "M231 164C258 164 281 164 281 147" },
    "processing>sold_out": { path: "M225 230C282 230 303 200 303 147" },
    "init_loading>initiated": { path: "M172 109V145", label: { x: 163, y: 132, anchor: "end" } },
    "initiated>processing": { path: "M172 181V217", label: { x: 163, y: 204, anchor: "end" } },
    "processing>failed": { path: "M119 236C78 236 54 240 54 267", label: { x: 62, y: 261, anchor: "start" } },
    "processing>pending": { path: "M172 253V307", label: { x: 180, y: 284, anchor: "start" } },
    "processing>success": { path: "M225 242C270 242 270 398 227 398", label: { x: 266, y: 324, anchor: "start" } },
    "pending>success": { path: "M172 343V379", label: { x: 163, y: 366, anchor: "end" } },
    "pending>failed": { path: "M112 326C76 326 54 324 54 305", label: { x: 58, y: 342, anchor: "middle" } },
    "failed>init_loading": { path: "M20 268V150C20 110 72 98 117 98", label: { x: 28, y: 178, anchor: "start" } },
  },
};

const LEAD: MachineLayout = {
  width: 332,
  height: 472,
  start: "created",
  jumps: "drawn",
  boxes: {
    created: { x: 113, y: 3, width: 106 },
    waitlisted: { x: 1, y: 75, width: 92 },
    enquired: { x: 113, y: 75, width: 106 },
    viewing_requested: { x: 237, y: 75, width: 94 },
    form_started: { x: 113, y: 147, width: 106 },
    form_completed: { x: 107, y: 219, width: 118 },
    payment_started: { x: 107, y: 291, width: 118 },
    booked: { x: 113, y: 363, width: 106 },
    cancelled: { x: 245, y: 363, width: 86 },
    lost: { x: 1, y: 219, width: 76 },
    completed: { x: 113, y: 435, width: 106 },
  },
  routes: {
    "created>enquired": { path: "M166 37V73", label: { x: 174, y: 60, anchor: "start" } },
    "created>waitlisted": { path: "M113 22C66 22 47 40 47 73" },
    "created>viewing_requested": { path: "M219 22C266 22 284 40 284 73" },
    "enquired>viewing_requested": { path: "M219 92H235" },
    "enquired>waitlisted": { path: "M113 92H95" },
    "enquired>form_started": { path: "M166 109V145", label: { x: 174, y: 132, anchor: "start" } },
    "viewing_requested>form_started": { path: "M284 109C284 150 262 160 221 160" },
    "waitlisted>form_started": { path: "M58 109C58 146 76 158 111 158" },
    "form_started>form_completed": { path: "M166 181V217", label: { x: 174, y: 204, anchor: "start" } },
    "form_completed>payment_started": { path: "M166 253V289", label: { x: 174, y: 276, anchor: "start" } },
    "form_started>payment_started": { path: "M219 170C262 178 262 300 227 304" },
    "payment_started>form_started": { path: "M107 302C86 296 86 178 111 170" },
    "payment_started>booked": { path: "M166 325V361", label: { x: 174, y: 348, anchor: "start" } },
    "form_completed>booked": { path: "M225 242C272 250 272 366 221 374" },
    "booked>cancelled": { path: "M219 386H243" },
    "booked>completed": { path: "M166 397V433", label: { x: 174, y: 420, anchor: "start" } },
    "waitlisted>lost": { path: "M36 109V217" },
    "viewing_requested>lost": { path: "M300 109V258C300 276 58 276 52 255" },
    "enquired>lost": { path: "M120 109C100 140 60 160 52 217" },
    "form_started>lost": { path: "M113 176C92 180 72 196 66 217" },
    "form_completed>lost": { path: "M107 236H79" },
    "payment_started>lost": { path: "M107 316C62 316 40 296 40 255" },
  },
};

const FORM: MachineLayout = {
  width: 332,
  height: 190,
  start: "not_started",
  jumps: "drawn",
  boxes: {
    not_started: { x: 113, y: 3, width: 106 },
    started: { x: 113, y: 75, width: 106 },
    completed: { x: 113, y: 147, width: 106 },
  },
  routes: {
    "not_started>started": { path: "M166 37V73", label: { x: 157, y: 60, anchor: "end" } },
    "started>completed": { path: "M166 109V145", label: { x: 157, y: 132, anchor: "end" } },
    "completed>started": { path: "M219 164C268 164 268 92 221 92", label: { x: 264, y: 132, anchor: "start" } },
  },
};

export const LAYOUTS: Readonly<Record<MachineName, MachineLayout>> = { lead: LEAD, payment: PAYMENT, form: FORM };

/** The booking form has no step table of its own: it is begun, then complete (Spec §4, custom form steps). */
export const FORM_STEPS: StepTable = {
  not_started: { start: "started" },
  started: { complete: "completed" },
  completed: {},
};

/** A lead's life as D81 words it; from every open state it may be lost. */
export const LEAD_STEPS: StepTable = {
  created: { enquire: "enquired", join_waitlist: "waitlisted", request_viewing: "viewing_requested" },
  enquired: { start_form: "form_started", request_viewing: "viewing_requested", lose: "lost" },
  waitlisted: { start_form: "form_started", lose: "lost" },
  viewing_requested: { start_form: "form_started", lose: "lost" },
  form_started: { complete_form: "form_completed", start_payment: "payment_started", lose: "lost" },
  form_completed: { start_payment: "payment_started", lose: "lost" },
  payment_started: { book: "booked", lose: "lost" },
  booked: { complete: "completed", cancel: "cancelled" },
  cancelled: {},
  lost: {},
  completed: {},
};

function targets(table: StepTable, state: string): string[] {
  return [...new Set(Object.values(table[state] ?? {}))];
}

const ways = new WeakMap<StepTable, Map<string, string[] | null>>();

/** The shortest way from one state to another along the table, worked out once per pair; `null` when there is none. */
function wayThrough(table: StepTable, from: string, to: string): string[] | null {
  const known = ways.get(table) ?? new Map<string, string[] | null>();
  ways.set(table, known);
  const name = `${from}>${to}`;
  const way = known.get(name) ?? findWay(table, from, to);
  known.set(name, way);
  return way;
}

function findWay(table: StepTable, from: string, to: string): string[] | null {
  const cameFrom = new Map<string, string | null>([[from, null]]);
  for (const state of cameFrom.keys()) {
    if (state === to) break;
    for (const next of targets(table, state)) if (!cameFrom.has(next)) cameFrom.set(next, state);
  }
  if (!cameFrom.has(to)) return null;
  const way: string[] = [];
  for (let at: string | null = to; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
  return way;
}

/** The states a stream passed, given the statuses its events recorded. */
export function walk(layout: MachineLayout, table: StepTable, recorded: readonly string[]): string[] {
  const passed = [layout.start];
  for (const status of recorded) {
    const from = passed[passed.length - 1] ?? layout.start;
    if (status === from) continue;
    const way = layout.jumps === "walked" ? wayThrough(table, from, status) : null;
    passed.push(...(way ?? [from, status]).slice(1));
  }
  return passed;
}

/** A plain bow along the right for a step nobody drew a route for. */
function plainRoute(from: Box, to: Box): Route {
  const half = BOX_HEIGHT / 2;
  const start = { x: from.x + from.width, y: from.y + half };
  const end = { x: to.x + to.width + 2, y: to.y + half };
  const bow = Math.max(start.x, end.x) + 28 + Math.abs(end.y - start.y) / 8;
  return { path: `M${start.x} ${start.y}C${bow} ${start.y} ${bow} ${end.y} ${end.x} ${end.y}` };
}

function pairs(passed: readonly string[]): Set<string> {
  return new Set(passed.slice(1).map((state, index) => `${passed[index] ?? state}>${state}`));
}

/** Everything the picture shows after the given statuses: what was taken, what may come next, what rests. */
export function draw(layout: MachineLayout, table: StepTable, recorded: readonly string[]): DrawnMachine {
  const passed = walk(layout, table, recorded);
  const current = passed[passed.length - 1] ?? layout.start;
  const taken = pairs(passed);
  const possible = targets(table, current).filter((state) => layout.boxes[state] !== undefined);
  const nodes = Object.entries(layout.boxes).map(([state, box]): DrawnNode => {
    if (state === current) return { state, box, mark: "current" };
    return { state, box, mark: passed.includes(state) ? "visited" : "rest" };
  });
  const known = Object.keys(table).flatMap((from) => targets(table, from).map((to) => `${from}>${to}`));
  const edges = [...new Set([...known, ...taken])].flatMap((step) => {
    const [from = "", to = ""] = step.split(">");
    const mark = taken.has(step) ? "taken" : from === current ? "possible" : "rest";
    const route = routeOf(layout, from, to, mark);
    return route === null ? [] : [{ from, to, verb: verbOf(table, from, to), mark, route } satisfies DrawnEdge];
  });
  // Loud lines are painted last, over the quiet ones.
  edges.sort((a, b) => LOUDNESS[a.mark] - LOUDNESS[b.mark]);
  return { layout, current, visited: [...new Set(passed)], possible, nodes, edges };
}

const LOUDNESS: Readonly<Record<EdgeMark, number>> = { rest: 0, possible: 1, taken: 2 };

function verbOf(table: StepTable, from: string, to: string): string | null {
  return Object.entries(table[from] ?? {}).find(([, target]) => target === to)?.[0] ?? null;
}

function routeOf(layout: MachineLayout, from: string, to: string, mark: EdgeMark): Route | null {
  const drawn = layout.routes[`${from}>${to}`];
  if (drawn !== undefined) return drawn;
  const [start, end] = [layout.boxes[from], layout.boxes[to]];
  return mark === "taken" && start !== undefined && end !== undefined ? plainRoute(start, end) : null;
}
