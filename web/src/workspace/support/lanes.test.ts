import { expect, test } from "vitest";
import type { StreamKind, TimelineEvent } from "../../contract/wire.ts";
import { bars, dayLines, eventAt, middle, thread } from "./lanes.ts";
import { History } from "./refold.ts";

function history(events: { stream: StreamKind; day: number; because?: number; failed?: boolean }[]): History {
  return History.of({
    fields: [],
    events: events.map(
      ({ stream, day, because = null, failed = false }, index): TimelineEvent => ({
        n: index + 1,
        position: index + 1,
        stream,
        stream_id: stream,
        revision: index + 1,
        type: "Changed",
        recorded_at: `2026-11-${String(day).padStart(2, "0")}T10:00:00Z`,
        actor: { kind: "student", label: "Student" },
        because_of: because,
        sentence: { key: "timeline.changed", params: {} },
        failed,
        changes: [],
      }),
    ),
  });
}

// Every event has a slot of its own, and a point in a slot is its event.
test("every event has its own slot and each slot its event", () => {
  for (const last of [1, 2, 42, 100_000]) {
    for (const n of [1, Math.ceil(last / 2), last]) expect(eventAt(middle(n, last), last)).toBe(n);
  }
});

test("a pointer dragged past either end stays within the history", () => {
  expect([eventAt(-0.5, 42), eventAt(0, 42), eventAt(1, 42), eventAt(3, 42)]).toEqual([1, 1, 42, 42]);
});

test("each day begins at its first event", () => {
  const days = dayLines(history([9, 9, 10, 13, 13].map((day) => ({ stream: "lead", day }))));
  expect(days.map(({ day, n }) => [day, n])).toEqual([
    ["2026-11-09", 1],
    ["2026-11-10", 3],
    ["2026-11-13", 4],
  ]);
});

test("days too narrow to be told apart are left out", () => {
  const many = history(Array.from({ length: 280 }, (_, index) => ({ stream: "lead", day: (index % 28) + 1 })));
  const lefts = dayLines(many).map(({ left }) => left);
  for (const [index, left] of lefts.entries())
    expect(index === 0 || left - (lefts[index - 1] ?? 0) >= 0.025).toBe(true);
});

// A long history keeps its failed events visible among the others.
test("a long history keeps its failed events visible", () => {
  const long = history(
    Array.from({ length: 2000 }, (_, index) => ({ stream: "payment", day: 1, failed: index === 1234 })),
  );
  const drawn = bars(long);
  expect(drawn.filter(({ failed }) => failed)).toHaveLength(1);
  expect(drawn.length).toBeLessThanOrEqual(320);
});

// What a second person decides about a refund is drawn, counted and walked through with the payment.
test("an approval is in the lane of its payment", () => {
  const told = history([
    { stream: "lead", day: 1 },
    { stream: "payment", day: 1 },
    { stream: "approval", day: 1, because: 2 },
    { stream: "approval", day: 1, because: 3, failed: true },
  ]);
  expect(thread(told, 4)).toBe("M1.5 2.5L2.5 2.5L3.5 2.5");
  expect(bars(told).map(({ lane, failed }) => [lane, failed])).toEqual([
    [0, false],
    [2, false],
    [2, false],
    [2, true],
  ]);
  expect([
    told.countOf("payment"),
    told.neighbour("payment", 2, "after"),
    told.neighbour("approval", 3, "before"),
  ]).toEqual([3, 3, 2]);
});

// The thread runs from the first cause to the event, changing lane where they do.
test("the thread runs from the first cause to the event by lanes", () => {
  const chain = history([
    { stream: "booking_form", day: 1 },
    { stream: "payment", day: 1, because: 1 },
    { stream: "payment", day: 1, because: 2 },
  ]);
  expect(thread(chain, 3)).toBe("M0.5 1.5C1 1.5 1 2.5 1.5 2.5L1.5 2.5L2.5 2.5");
  expect(thread(chain, 1)).toBe("M0.5 1.5");
});
