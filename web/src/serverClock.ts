// How far the server's clock is ahead of this machine's, in milliseconds.
let ahead = 0;

// The `Date` header has whole seconds, and an answer takes a moment: less than this is no difference.
const exactTo = 2_000;

/** Learns the server's time from an answer that came straight from it. Answers that a cache may keep tell an old time. */
export function noteServerTime(headers: Headers): void {
  const sent = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(sent) || !headers.get("cache-control")?.includes("no-store")) return;
  const difference = sent - Date.now();
  ahead = Math.abs(difference) < exactTo ? 0 : difference;
}

/** The server's time: what it holds until an instant is over by its clock, not by the reader's. */
export function serverNow(): number {
  return Date.now() + ahead;
}
