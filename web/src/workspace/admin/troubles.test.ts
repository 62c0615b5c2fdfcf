import { expect, test } from "vitest";
import type { SystemHealth } from "../../contract/wire.ts";
import { troublesOf } from "./troubles.ts";

const well: SystemHealth = {
  checked_at: "2026-11-26T10:00:00Z",
  head: 10,
  writes: "taken",
  maintenance: false,
  read_models: [
    { name: "lead_board", version: 7, position: 10, lag: 0, lag_seconds: 0, parked: 0, rests: false },
    { name: "looks", version: 1, position: 10, lag: 0, lag_seconds: 0, parked: 0, rests: false },
  ],
  search_lag: 0,
  outbox: { waiting: 3, failing: 0 },
  mails: { waiting: 1, failing: 2 },
  feeds: [],
  payment_provider: { kind: "sandbox", state: "reachable" },
  broken_events: 0,
  accepted_breaks: 0,
  gone_files: [],
  ended: [],
  oversold_rooms: [],
  dead_photos: 0,
  disk_free_bytes: 1e9,
  clock_off_seconds: 0,
  alerts: [],
  last_backup_at: null,
  events_since_backup: null,
  events_today: 10,
};

const feed: NonNullable<SystemHealth["feeds"]>[number] = {
  name: "leeds",
  due_at: "2026-11-26T12:00:00Z",
  ended: "failed",
  ended_at: "2026-11-26T09:55:00Z",
  failure: "`feeds.example` answered 503",
  is_failing: false,
  is_running: false,
  last_import: null,
};

test("a feed is a trouble once it fails again and again", () => {
  expect(troublesOf({ ...well, feeds: [feed] })).toEqual([]);
  const feeds = [feed, { ...feed, name: "york", is_failing: true }];
  expect(troublesOf({ ...well, feeds, alerts: [{ kind: "feeds_failed", count: 1 }] })).toEqual([
    { kind: "feeds_failed", count: 1, names: ["york"], to: null },
  ]);
  expect(troublesOf({ ...well, feeds: null })).toEqual([]);
});

test("dead photos lead to the imports that name them", () => {
  expect(troublesOf({ ...well, dead_photos: 3 })).toEqual([
    { kind: "dead_photos", count: 3, names: [], to: "/workspace/feeds" },
  ]);
});

test("what waits is no trouble, what fails or rests is", () => {
  expect(troublesOf(well)).toEqual([]);
  const [first, second] = well.read_models;
  if (first === undefined || second === undefined) throw new Error("two read models");
  const ill: SystemHealth = {
    ...well,
    writes: "disk_full",
    maintenance: true,
    read_models: [
      { ...first, parked: 2 },
      { ...second, rests: true },
    ],
    oversold_rooms: [{ room_id: "r", home: "Aspen Hall", room: "Studio", rooms: 1, bookings: ["B-1", "B-2"] }],
    alerts: [{ kind: "failed_refunds", count: 3 }],
  };
  expect(troublesOf(ill).map(({ kind, count, to }) => [kind, count, to])).toEqual([
    ["writes", 1, null],
    ["oversold", 1, null],
    ["resting", 1, "/workspace/read_models"],
    ["parked", 2, "/workspace/read_models"],
    ["maintenance", 1, "/workspace/settings"],
    ["failed_refunds", 3, "/workspace/finance"],
  ]);
  expect(troublesOf(ill).find(({ kind }) => kind === "oversold")?.names).toEqual(["Aspen Hall, Studio (B-1, B-2)"]);
});
