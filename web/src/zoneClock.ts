/** What clocks show in a time zone, and when they show it. */

const DAY_MS = 86_400_000;

/** A wall clock somewhere: day and time as people there read them. */
export interface WallClock {
  date: string;
  time: string;
}

/** For no reader: Sweden writes days and times as the wire does. */
const WIRE_LOCALE = "sv-SE";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(WIRE_LOCALE, { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
  formats.set(timezone, made);
  return made;
}

/** What the clock shows in a time zone. */
export function wallClock(at: Date, timezone: string): WallClock {
  const parts = formatOf(timezone).format(at);
  return { date: parts.slice(0, 10), time: parts.slice(11, 16) };
}

/** How far a zone's clock is ahead of UTC at an instant, in milliseconds. */
function offsetIn(timezone: string): (at: number) => number {
  return (at) => {
    const minute = Math.floor(at / 60_000) * 60_000;
    return utcOf(wallClock(new Date(minute), timezone)) - minute;
  };
}

function utcOf({ date, time }: WallClock): number {
  return Date.parse(`${date}T${time}:00Z`);
}

/**
 * The instant at which the clock of a place begins to show a time: the later one where it shows it twice, null where it skips it. The
 * server takes the same (`check_viewing`).
 */
export function instantAt(shown: WallClock, offsetAt: (at: number) => number): number | null {
  const asUtc = utcOf(shown);
  // No clock is a day off, and none is changed twice in two days: one of the two offsets is the one in force.
  const offsets = [offsetAt(asUtc - DAY_MS), offsetAt(asUtc + DAY_MS)];
  const instants = offsets.filter((offset) => offsetAt(asUtc - offset) === offset).map((offset) => asUtc - offset);
  return instants.length === 0 ? null : Math.max(...instants);
}

/** What the clock of one zone shows when that of another shows a time; null where that one skips it. */
export function elsewhere(shown: WallClock, from: string, to: string): WallClock | null {
  const at = instantAt(shown, offsetIn(from));
  return at === null ? null : wallClock(new Date(at), to);
}

/** `Europe/London` → London */
export function cityOf(timezone: string): string {
  return timezone.split("/").at(-1)?.replaceAll("_", " ") ?? timezone;
}
