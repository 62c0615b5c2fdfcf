import { expect, test } from "vitest";
import {
  BOX_HEIGHT,
  draw,
  FORM_STEPS,
  LAYOUTS,
  LEAD_STEPS,
  type MachineLayout,
  type StepTable,
  walk,
} from "./machineLayout.ts";

/** X8 as the specification words it. */
const X8: StepTable = {
  init: { begin: "init_loading" },
  init_loading: { intent_ready: "initiated", intent_failed: "init_failure", sold_out: "sold_out" },
  init_failure: { retry: "init_loading" },
  initiated: { confirm: "processing", sold_out: "sold_out" },
  processing: { succeeded: "success", declined: "failed", delayed: "pending", sold_out: "sold_out" },
  pending: { succeeded: "success", declined: "failed" },
  failed: { retry: "init_loading" },
  sold_out: {},
  success: {},
};

function marks(layout: MachineLayout, table: StepTable, recorded: string[]) {
  const drawn = draw(layout, table, recorded);
  const edges = (mark: string) =>
    drawn.edges.filter((edge) => edge.mark === mark).map(({ from, to }) => `${from}>${to}`);
  return { ...drawn, taken: edges("taken"), next: edges("possible") };
}

// A declined payment shows the way it came and that it may be tried again.
test("a declined payment shows its path and the possible retry", () => {
  const shown = marks(LAYOUTS.payment, X8, ["init_loading", "initiated", "processing", "failed"]);
  expect(shown.current).toBe("failed");
  expect(shown.taken).toEqual([
    "init>init_loading",
    "init_loading>initiated",
    "initiated>processing",
    "processing>failed",
  ]);
  expect(shown.next).toEqual(["failed>init_loading"]);
});

// Before its first event a stream stands at the start with only its first step possible.
test("an empty stream is at the start with its first step possible", () => {
  const shown = marks(LAYOUTS.payment, X8, []);
  expect([shown.current, shown.taken, shown.next]).toEqual(["init", [], ["init>init_loading"]]);
});

// One event that records two steps is walked through the state between them.
test("an event of two steps is walked through the state between", () => {
  expect(walk(LAYOUTS.payment, X8, ["initiated", "success"])).toEqual([
    "init",
    "init_loading",
    "initiated",
    "processing",
    "success",
  ]);
});

// A lead that went straight to its payment is not said to have begun a form.
test("a lead that went straight to payment shows no form begun", () => {
  expect(walk(LAYOUTS.lead, LEAD_STEPS, ["enquired", "payment_started"])).toEqual([
    "created",
    "enquired",
    "payment_started",
  ]);
});

// A late success out of a sold-out payment is drawn although the table does not know the step.
test("a late success out of sold out is drawn without a table row", () => {
  const shown = marks(LAYOUTS.payment, X8, ["init_loading", "sold_out", "success"]);
  expect(shown.taken).toContain("sold_out>success");
  expect(shown.edges.find(({ to, from }) => from === "sold_out" && to === "success")?.route.path).toMatch(/^M/);
});

// Every step of X8, of a lead and of a form has a drawn route, so no arrow is missing.
test("each step of X8, leads and forms has a drawn route", () => {
  for (const [layout, table] of [
    [LAYOUTS.payment, X8],
    [LAYOUTS.lead, LEAD_STEPS],
    [LAYOUTS.form, FORM_STEPS],
  ] as const) {
    const steps = Object.entries(table).flatMap(([from, next]) => Object.values(next).map((to) => `${from}>${to}`));
    expect(steps.filter((step) => layout.routes[step] === undefined)).toEqual([]);
  }
});

test("no two states overlap and none leaves the paper", () => {
  for (const { boxes, width, height } of Object.values(LAYOUTS)) {
    const all = Object.values(boxes);
    for (const [index, box] of all.entries()) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + BOX_HEIGHT).toBeLessThanOrEqual(height);
      for (const other of all.slice(index + 1)) {
        const apart =
          box.x + box.width <= other.x || other.x + other.width <= box.x || Math.abs(box.y - other.y) >= BOX_HEIGHT;
        expect(apart).toBe(true);
      }
    }
  }
});

test("a completed booking form has nothing left to do", () => {
  const shown = marks(LAYOUTS.form, FORM_STEPS, ["started", "completed"]);
  expect([shown.current, shown.next]).toEqual(["completed", []]);
});
