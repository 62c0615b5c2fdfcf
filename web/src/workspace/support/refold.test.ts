import { expect, test } from "vitest";
import type { LeadTimeline, StreamKind, TimelineEvent } from "../../contract/wire.ts";
import { History, laneOf, STREAMS } from "./refold.ts";

type Changes = TimelineEvent["changes"];

function event(n: number, stream: StreamKind, changes: Changes, because_of: number | null = null): TimelineEvent {
  return {
    n,
    position: n * 10,
    stream,
    stream_id: stream,
    revision: n,
    type: "Changed",
    recorded_at: "2026-11-13T10:41:07Z",
    actor: { kind: "student", label: "Student" },
    because_of,
    sentence: { key: "timeline.changed", params: {} },
    failed: false,
    changes,
  };
}

function set(field: string, to: string | null): Changes[number] {
  return { field, from: null, to, masked: false };
}

const FIELDS: LeadTimeline["fields"] = STREAMS.flatMap((stream) =>
  ["status", "due"].map((field) => ({ stream, field, label_key: `timeline_ui.${field}` })),
);

/** The slow way: start from nothing and apply every change up to `n`. */
function foldByHand(events: TimelineEvent[], n: number): Map<string, string | null> {
  const state = new Map<string, string | null>();
  for (const { n: place, stream, changes } of events) {
    if (place > n) break;
    for (const { field, to } of changes) state.set(`${stream}/${field}`, to);
  }
  return state;
}

/** A small generator so that the same histories come back on every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function randomHistory(seed: number, length: number): TimelineEvent[] {
  const next = numbers(seed);
  const pick = <T>(from: readonly T[], fallback: T): T => from[Math.floor(next() * from.length)] ?? fallback;
  return Array.from({ length }, (_, index) => {
    const value = next() < 0.1 ? null : String(Math.floor(next() * 5));
    return event(index + 1, pick(STREAMS, "lead"), [set(pick(["status", "due"], "due"), value)]);
  });
}

// The state at any event equals applying every change up to it by hand.
test("a state at any event equals applying its changes by hand", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const events = randomHistory(seed, 60);
    const history = History.of({ events, fields: FIELDS });
    for (let n = 0; n <= 60; n += 1) {
      const byHand = foldByHand(events, n);
      for (const { stream, field } of FIELDS) {
        const expected = byHand.get(`${stream}/${field}`) ?? null;
        expect(history.valueAt(stream, field, n).value).toBe(expected);
      }
    }
  }
});

// Then and now differ in exactly the fields whose value changed since.
test("then and now differ in exactly the changed fields", () => {
  const events = [
    event(1, "lead", [set("status", "enquired")]),
    event(2, "payment", [set("status", "failed"), set("due", "£259.07")]),
    event(3, "payment", [set("status", "success")]),
  ];
  const history = History.of({ events, fields: FIELDS });
  const payment = history.compare(2).find((group) => group.stream === "payment");
  expect(payment?.rows.map((row) => [row.field, row.then.value, row.now.value, row.differs])).toEqual([
    ["status", "failed", "success", true],
    ["due", "£259.07", "£259.07", false],
  ]);
  expect(history.changedSince(2)).toBe(1);
  expect(history.changedSince(3)).toBe(0);
});

// A live event is folded in, and the view taken before it does not change.
test("a live event is folded in and earlier views do not change", () => {
  const before = History.of({ events: [event(1, "lead", [set("status", "enquired")])], fields: FIELDS });
  const after = before.with(event(2, "lead", [set("status", "booked")]));
  expect(after.valueAt("lead", "status", after.last).value).toBe("booked");
  expect(before.last).toBe(1);
  expect(before.valueAt("lead", "status", 99).value).toBe("enquired");
});

test("an event heard twice or after a gap is not folded in", () => {
  const history = History.of({ events: [event(1, "lead", [set("status", "enquired")])], fields: FIELDS });
  expect(history.with(event(1, "lead", [set("status", "lost")]))).toBe(history);
  expect(history.with(event(3, "lead", [set("status", "lost")]))).toBe(history);
});

// Two views of the same history may both hear the same live event.
test("two views of a history may fold the same live event", () => {
  const history = History.of({ events: [event(1, "lead", [set("status", "enquired")])], fields: FIELDS });
  const live = event(2, "lead", [set("status", "booked")]);
  const [one, other] = [history.with(live), history.with(live)];
  expect([one.last, other.last]).toEqual([2, 2]);
  expect(other.valuesOf("lead", "status", 2).map(({ value }) => value)).toEqual(["enquired", "booked"]);
});

// The causes of an event are followed back to the first, and a circle ends the walk.
test("causes are followed to the first and a circle ends the walk", () => {
  const events = [
    event(1, "booking_form", []),
    event(2, "payment", [], 1),
    event(3, "payment", [], 2),
    event(4, "user", [], 9),
  ];
  const history = History.of({ events, fields: [] });
  expect(history.causes(3)).toEqual([3, 2, 1]);
  expect(history.causes(4)).toEqual([4]);
  expect(history.effects(1).map(({ n }) => n)).toEqual([2]);
});

// Stepping within a stream finds its nearest events on both sides.
test("stepping within a stream finds its nearest events", () => {
  const events = (["lead", "payment", "payment", "lead", "payment"] as const).map((stream, index) =>
    event(index + 1, stream, []),
  );
  const history = History.of({ events, fields: [] });
  expect(history.neighbour("payment", 3, "after")).toBe(5);
  expect(history.neighbour("payment", 3, "before")).toBe(2);
  expect(history.neighbour("payment", 4, "before")).toBe(3);
  expect(history.neighbour("payment", 5, "after")).toBeNull();
  expect(history.neighbour("lead", 1, "before")).toBeNull();
});

// A field the server did not announce is shown under its own name.
test("an unannounced field is shown under its own name", () => {
  const history = History.of({ events: [event(1, "lead", [set("campaign", "spring")])], fields: FIELDS });
  expect(history.compare(1)[0]?.rows.map((row) => row.labelKey)).toContain("campaign");
});

test("a hundred thousand events fold at any moment within a frame", () => {
  const history = History.of({ events: randomHistory(7, 100_000), fields: FIELDS });
  const started = performance.now();
  const rounds = 200;
  for (let round = 0; round < rounds; round += 1) history.compare((round * 499) % 100_000);
  const perFrame = (performance.now() - started) / rounds;
  expect(perFrame).toBeLessThan(16);
});

/** What the server says of a long history. */
function outlineOf(events: TimelineEvent[]): Pick<LeadTimeline, "outline" | "streams"> {
  const tracks = new Map<string, NonNullable<LeadTimeline["outline"]>["tracks"][number]>();
  for (const { n, stream, changes } of events) {
    for (const { field, to, masked } of changes) {
      const name = `${stream}/${field}`;
      const track = tracks.get(name) ?? { stream, field, masked, values: [], at: [], became: [] };
      if (!track.values.includes(to)) track.values.push(to);
      track.at.push(n);
      track.became.push(track.values.indexOf(to));
      tracks.set(name, track);
    }
  }
  return {
    streams: STREAMS.map((stream) => ({ stream, stream_id: stream, revision: 1 })),
    outline: {
      of_stream: events.map(({ stream }) => STREAMS.indexOf(laneOf(stream))),
      failed: events.filter(({ failed }) => failed).map(({ n }) => n),
      days: [{ day: "2026-11-13", n: 1 }],
      tracks: [...tracks.values()],
    },
  };
}

// An outline tells every moment as the whole history does, and asks for the events that are
// looked at.
test("an outline equals the whole history and asks for viewed rows", () => {
  const events = randomHistory(5, 700).map((one) => ({ ...one, failed: one.n % 9 === 0 }));
  const whole = History.of({ fields: FIELDS, events });
  const long = History.of({ fields: FIELDS, events: events.slice(-100), ...outlineOf(events) });
  const told = (history: History, n: number) => history.compare(n).map(({ stream, rows }) => ({ stream, rows }));
  for (const n of [1, 2, 350, 699, 700]) expect(told(long, n)).toEqual(told(whole, n));
  expect([long.last, long.failures(), long.days()]).toEqual([whole.last, whole.failures(), whole.days()]);
  expect(STREAMS.map((stream) => long.countOf(stream, 300))).toEqual(
    STREAMS.map((stream) => whole.countOf(stream, 300)),
  );

  expect(long.event(650)).toEqual(events[649]);
  expect(long.event(20)).toBeUndefined();
  const missed: number[] = [];
  long.onMissed((n) => missed.push(n));
  expect(long.event(30)).toBeUndefined();
  expect(missed).toEqual([20, 30]);
  const more = long.withPage(events.slice(0, 600));
  expect(more.event(30)).toEqual(events[29]);
  expect([long.firstMissing(), more.isWhole(), more.slice(1, 700)]).toEqual([null, true, events]);
  const next = event(701, "lead", [set("status", "new")]);
  expect(more.with(next).valueAt("lead", "status", 701).since).toBe(701);
});
