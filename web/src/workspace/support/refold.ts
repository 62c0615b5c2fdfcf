/**
 * One lead's merged history, folded to any moment.
 *
 * Every field keeps the list of its changes in order of `n`, so the state at `n` is one binary search per field and costs
 * the same at event 17 as at event 100,000: a scrubber may ask for it at every frame. The lists are only ever appended to,
 * so an older `History` stays right while newer events arrive. Of a long history only the outline is here from the start;
 * its sentences come in pages, for the places somebody looks at.
 */
import type { LeadOutline, LeadTimeline, StreamKind, TimelineEvent } from "../../contract/wire.ts";

/** The lanes and their legend name the streams in this order. */
export const STREAMS = ["lead", "booking_form", "payment", "user", "case"] as const satisfies readonly StreamKind[];

type Lane = (typeof STREAMS)[number];

/** The lane that an event is drawn in: a second person's decision about a refund stands with the payment. */
export function laneOf(stream: StreamKind): Lane {
  return stream === "approval" ? "payment" : stream;
}

/** The field in which each stream tells how far it is; a person has no such field. */
export const STATUS_FIELDS = {
  lead: "status",
  booking_form: "form_status",
  payment: "payment_status",
  approval: null,
  user: null,
  case: null,
} as const satisfies Record<StreamKind, string | null>;

/** The tables put the money next to the lead it is about. */
const TABLES = ["lead", "payment", "booking_form", "user", "case"] as const satisfies readonly StreamKind[];

export interface FieldKey {
  stream: StreamKind;
  field: string;
  labelKey: string;
}

interface Change {
  n: number;
  value: string | null;
  masked: boolean;
}

interface Track extends FieldKey {
  changes: Change[];
}

/** What one field held at one moment; `since` is the event that set it, `null` while nothing had. */
export interface FieldValue {
  value: string | null;
  masked: boolean;
  since: number | null;
}

/** One row of the Then | Now table. */
export interface FieldRow extends FieldKey {
  then: FieldValue;
  now: FieldValue;
  differs: boolean;
}

/** One table per stream: rows in the order the server gave. */
export interface FieldGroup {
  stream: StreamKind;
  /** The stream's revision at the moment shown, 0 before its first event. */
  revision: number;
  rows: FieldRow[];
}

const UNSET: FieldValue = { value: null, masked: false, since: null };

/** How many entries of `sorted` are at or before `n`. */
function countUpTo<T>(sorted: readonly T[], n: number, place: (entry: T) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = sorted[middle];
    if (entry !== undefined && place(entry) <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}

function trackName(stream: StreamKind, field: string): string {
  return `${stream}/${field}`;
}

/** A day of the history and its first event. */
interface Day {
  day: string;
  n: number;
}

/** The shared lists behind every view of one lead's history. They only grow; of a long history, events come in pages. */
interface Lists {
  count: number;
  /** The kind of each event's stream. */
  kinds: StreamKind[];
  /** Each event itself, as far as it is here. */
  events: Map<number, TimelineEvent>;
  tracks: Map<string, Track>;
  order: Track[];
  perLane: Record<Lane, number[]>;
  /** The places of each single stream's events, by its id, and which stream each event is in. */
  perStreamId: Map<string, number[]>;
  streamIds: string[];
  failed: number[];
  days: Day[];
  /** Told of events that somebody looked for and that are not here. */
  missed: (n: number) => void;
  /** Those looked for while nobody listened, the latest last. */
  early: number[];
}

/** More rows than a first drawing looks for. */
const EARLY = 100;

function emptyLists(fields: LeadTimeline["fields"]): Lists {
  const lists: Lists = {
    count: 0,
    kinds: [],
    events: new Map(),
    tracks: new Map(),
    order: [],
    perLane: { lead: [], booking_form: [], payment: [], user: [], case: [] },
    perStreamId: new Map(),
    streamIds: [],
    failed: [],
    days: [],
    early: [],
    missed: (n) => {
      lists.early = [...lists.early.slice(-EARLY), n];
    },
  };
  for (const { stream, field, label_key } of fields) addTrack(lists, { stream, field, labelKey: label_key });
  return lists;
}

function addTrack(lists: Lists, key: FieldKey): Track {
  const track: Track = { ...key, changes: [] };
  lists.tracks.set(trackName(key.stream, key.field), track);
  lists.order.push(track);
  return track;
}

/** Notes that the next event is in this stream. */
function count(lists: Lists, stream: StreamKind, streamId: string): number {
  lists.count += 1;
  lists.kinds.push(stream);
  lists.streamIds.push(streamId);
  lists.perLane[laneOf(stream)].push(lists.count);
  const places = lists.perStreamId.get(streamId) ?? [];
  if (places.length === 0) lists.perStreamId.set(streamId, places);
  places.push(lists.count);
  return lists.count;
}

function trackOf(lists: Lists, stream: StreamKind, field: string): Track {
  // A field the server did not list still shows: under its own name, after the listed ones.
  return lists.tracks.get(trackName(stream, field)) ?? addTrack(lists, { stream, field, labelKey: field });
}

function take(lists: Lists, event: TimelineEvent): void {
  const n = count(lists, event.stream, event.stream_id);
  lists.events.set(n, event);
  if (event.failed) lists.failed.push(n);
  const day = event.recorded_at.slice(0, 10);
  if (lists.days.at(-1)?.day !== day) lists.days.push({ day, n });
  for (const { field, to, masked } of event.changes) {
    trackOf(lists, event.stream, field).changes.push({ n, value: to, masked });
  }
}

/** A long history: what every event did to the whole, without the events. */
function takeOutline(lists: Lists, outline: LeadOutline, streams: LeadTimeline["streams"]): void {
  for (const number of outline.of_stream) {
    const stream = streams[number];
    if (stream !== undefined) count(lists, stream.stream, stream.stream_id);
  }
  lists.failed = [...outline.failed];
  lists.days = [...outline.days];
  for (const { stream, field, masked, values, at, became } of outline.tracks) {
    const { changes } = trackOf(lists, stream, field);
    for (const [index, n] of at.entries()) changes.push({ n, value: values[became[index] ?? -1] ?? null, masked });
  }
}

/** A lead's history as far as it is known; asks cost O(fields · log events). */
export class History {
  readonly last: number;
  readonly #lists: Lists;

  private constructor(lists: Lists) {
    this.#lists = lists;
    this.last = lists.count;
  }

  /** Reads a timeline once: a whole one, or a long one's outline with some of its events. */
  static of(timeline: Pick<LeadTimeline, "events" | "fields"> & Partial<LeadTimeline>): History {
    const lists = emptyLists(timeline.fields);
    const { outline } = timeline;
    if (outline === undefined || outline === null) {
      for (const event of timeline.events) take(lists, event);
      return new History(lists);
    }
    takeOutline(lists, outline, timeline.streams ?? []);
    return new History(lists).withPage(timeline.events);
  }

  /** The history with one live event more; an event already known, or one that would leave a gap, changes nothing. */
  with(event: TimelineEvent): History {
    if (event.n !== this.last + 1) return this;
    // Somebody else extended the same lists already: that view is the newer one.
    if (this.#lists.count === this.last) take(this.#lists, event);
    return new History(this.#lists);
  }

  /** The history with some of its events that were not here. */
  withPage(events: readonly TimelineEvent[]): History {
    const fresh = events.filter(({ n }) => n <= this.last && !this.#lists.events.has(n));
    if (fresh.length === 0) return this;
    for (const event of fresh) this.#lists.events.set(event.n, event);
    return new History(this.#lists);
  }

  /** Calls `missed` for each event that is looked for and not here, and for those that were before. */
  onMissed(missed: (n: number) => void): void {
    this.#lists.missed = missed;
    for (const n of this.#lists.early.splice(0)) missed(n);
  }

  /** Event `n`, 1-based; `undefined` too while it is still on its way. */
  event(n: number): TimelineEvent | undefined {
    if (n < 1 || n > this.last) return undefined;
    const event = this.#lists.events.get(n);
    if (event === undefined) this.#lists.missed(n);
    return event;
  }

  /** Which stream event `n` is in. */
  streamOf(n: number): StreamKind | undefined {
    return n <= this.last ? this.#lists.kinds[n - 1] : undefined;
  }

  /** The days that have events, each with its first. */
  days(): readonly Day[] {
    const { days } = this.#lists;
    return days.slice(
      0,
      countUpTo(days, this.last, ({ n }) => n),
    );
  }

  /** Whether every event is here. */
  isWhole(): boolean {
    return this.#lists.events.size >= this.last;
  }

  /** The first event that is not here. */
  firstMissing(): number | null {
    if (this.isWhole()) return null;
    for (let n = 1; n <= this.last; n++) if (!this.#lists.events.has(n)) return n;
    return null;
  }

  /** Events `from` to `to`, both included, as far as they are here. */
  slice(from: number, to: number): TimelineEvent[] {
    const events: TimelineEvent[] = [];
    for (let n = Math.max(1, from); n <= Math.min(this.last, to); n++) {
      const event = this.#lists.events.get(n);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  /** How many events the stream's lane had up to `n`. */
  countOf(stream: StreamKind, n: number = this.last): number {
    return countUpTo(this.#lists.perLane[laneOf(stream)], Math.min(n, this.last), (place) => place);
  }

  /** All failed events so far, as places. */
  failures(): number[] {
    return this.#lists.failed.slice(
      0,
      countUpTo(this.#lists.failed, this.last, (place) => place),
    );
  }

  /** The next event of the same lane after `n` (or before it), if there is one. */
  neighbour(stream: StreamKind, n: number, direction: "before" | "after"): number | null {
    const places = this.#lists.perLane[laneOf(stream)];
    const upTo = countUpTo(places, n, (place) => place);
    if (direction === "after") {
      const next = places[upTo];
      return next !== undefined && next <= this.last ? next : null;
    }
    const at = places[upTo - 1];
    return (at === n ? places[upTo - 2] : at) ?? null;
  }

  /** What the field held once events 1 to `n` had been applied. */
  valueAt(stream: StreamKind, field: string, n: number): FieldValue {
    const track = this.#lists.tracks.get(trackName(stream, field));
    return track === undefined ? UNSET : valueIn(track, Math.min(n, this.last));
  }

  /** The values a field went through up to `n`, oldest first. */
  valuesOf(stream: StreamKind, field: string, n: number): FieldValue[] {
    const changes = this.#lists.tracks.get(trackName(stream, field))?.changes ?? [];
    const count = countUpTo(changes, Math.min(n, this.last), (change) => change.n);
    return changes.slice(0, count).map(({ n: since, value, masked }) => ({ value, masked, since }));
  }

  /** Then beside now, grouped by stream; fields that neither moment knows are left out. */
  compare(n: number): FieldGroup[] {
    const rows = this.#lists.order.map((track) => rowAt(track, n, this.last)).filter(isKnown);
    return TABLES.map((stream) => ({
      stream,
      revision: this.#revisionAt(stream, n),
      rows: rows.filter((row) => row.stream === stream),
    })).filter((group) => group.rows.length > 0);
  }

  /** How many fields differ between event `n` and now. */
  changedSince(n: number): number {
    return this.#lists.order.filter((track) => rowAt(track, n, this.last).differs).length;
  }

  /** The events that led to `n`, nearest first, `n` itself included. */
  causes(n: number): number[] {
    const chain: number[] = [];
    let at: number | null = n;
    while (at !== null && at >= 1 && at <= this.last) {
      chain.push(at);
      const because: number | null = this.event(at)?.because_of ?? null;
      // A cause always lies before its effect: anything else would loop.
      at = because !== null && because < at ? because : null;
    }
    return chain;
  }

  /** The events that name `n` as their cause, looked for among the `within` events after it. */
  effects(n: number, within = 500): TimelineEvent[] {
    return this.slice(n + 1, n + within).filter((event) => event.because_of === n);
  }

  #revisionAt(stream: StreamKind, n: number): number {
    const places = this.#lists.perLane[laneOf(stream)];
    let last = countUpTo(places, n, (place) => place) - 1;
    while (last >= 0 && this.streamOf(places[last] ?? 0) !== stream) last -= 1;
    const at = places[last];
    if (at === undefined) return 0;
    // A stream's events are all in the history: its revision is how many there were.
    const own = this.#lists.perStreamId.get(this.#lists.streamIds[at - 1] ?? "") ?? [];
    return this.#lists.events.get(at)?.revision ?? countUpTo(own, at, (place) => place);
  }
}

function valueIn(track: Track, n: number): FieldValue {
  const change = track.changes[countUpTo(track.changes, n, (entry) => entry.n) - 1];
  return change === undefined ? UNSET : { value: change.value, masked: change.masked, since: change.n };
}

function rowAt(track: Track, n: number, last: number): FieldRow {
  const then = valueIn(track, Math.min(n, last));
  const now = valueIn(track, last);
  const { stream, field, labelKey } = track;
  return { stream, field, labelKey, then, now, differs: then.value !== now.value };
}

function isKnown(row: FieldRow): boolean {
  return row.then.value !== null || row.now.value !== null;
}
