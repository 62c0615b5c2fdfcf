import type { SystemHealth } from "../../contract/wire.ts";

/** Something that needs a person, with the page that mends it. */
export interface Trouble {
  kind: string;
  count: number;
  names: string[];
  to:
    | "/workspace/read_models"
    | "/workspace/finance"
    | "/workspace/reconciliation"
    | "/workspace/provider"
    | "/workspace/settings"
    | "/workspace/feeds"
    | null;
}

const PAGE_OF_ALERT: Record<string, Trouble["to"]> = {
  payments_refused: null,
  mails_refused: null,
  failed_refunds: "/workspace/finance",
  unknown_notices: "/workspace/provider",
  misfit_notices: "/workspace/provider",
  stuck_payments: "/workspace/finance",
  red_reconciliation: "/workspace/reconciliation",
};

/** A room type with more bookings than rooms, and those bookings. */
function nameRoom({ home, room, bookings }: SystemHealth["oversold_rooms"][number]): string {
  return `${home}, ${room} (${bookings.join(", ")})`;
}

/** What needs a person now, the worst first. */
export function troublesOf(health: SystemHealth): Trouble[] {
  const resting = health.read_models.filter((model) => model.rests);
  const parked = health.read_models.filter((model) => model.parked > 0);
  const streams = parked.reduce((sum, model) => sum + model.parked, 0);
  const failing = (health.feeds ?? []).filter((feed) => feed.is_failing);
  const none: string[] = [];
  const all: Trouble[] = [
    { kind: "writes", count: health.writes === "taken" ? 0 : 1, names: none, to: null },
    { kind: "broken", count: health.broken_events, names: none, to: null },
    { kind: "ended", count: health.ended.length, names: health.ended, to: null },
    { kind: "files", count: health.gone_files.length, names: health.gone_files, to: null },
    { kind: "oversold", count: health.oversold_rooms.length, names: health.oversold_rooms.map(nameRoom), to: null },
    { kind: "feeds_failed", count: failing.length, names: failing.map(({ name }) => name), to: null },
    { kind: "dead_photos", count: health.dead_photos, names: none, to: "/workspace/feeds" },
    { kind: "resting", count: resting.length, names: resting.map(({ name }) => name), to: "/workspace/read_models" },
    { kind: "parked", count: streams, names: parked.map(({ name }) => name), to: "/workspace/read_models" },
    { kind: "effects", count: health.outbox?.failing ?? 0, names: none, to: null },
    { kind: "provider", count: health.payment_provider.state === "away" ? 1 : 0, names: none, to: null },
    { kind: "maintenance", count: health.maintenance ? 1 : 0, names: none, to: "/workspace/settings" },
    ...health.alerts
      .filter(({ kind }) => kind in PAGE_OF_ALERT)
      .map(({ kind, count }) => ({ kind, count, names: none, to: PAGE_OF_ALERT[kind] ?? null })),
  ];
  return all.filter(({ count }) => count > 0);
}
