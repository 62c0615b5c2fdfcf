/** One stream of events for all tabs of a browser that ask for the same address. */
import { type Listener, listenWhileSeen, openStream, whileSeen } from "../seenStream.ts";

/** When a tab that leads opens a stream again that the server refused. */
const AGAIN_MS = 30_000;

/** Messages between tabs. */
type Said =
  | { kind: "joined" }
  | { kind: "opened" }
  | { kind: "broke"; isRefused: boolean }
  | { kind: "event"; name: string; data: string };

/**
 * Listens to a stream while the tab is seen, together with the other tabs that are: the one that has the lock of the address opens it and
 * tells the others. It gives both up when it is hidden or closed, and another tab takes over. Answers how to stop.
 */
export function shareStream(url: string, listener: Listener): () => void {
  // Over plain HTTP, but on this very machine, a browser has no locks.
  if (navigator.locks === undefined || typeof BroadcastChannel === "undefined") return listenWhileSeen(url, listener);
  return whileSeen(() => join(url, listener), listener.turned);
}

function join(url: string, listener: Listener): () => void {
  const left = new AbortController();
  const channel = new BroadcastChannel(url);
  const say = (said: Said) => channel.postMessage(said);
  channel.onmessage = ({ data }: MessageEvent<Said>) => take(data, listener);
  say({ kind: "joined" });
  const lead = () =>
    new Promise<void>((release) => {
      const stop = leadTabs(url, channel, listener);
      left.signal.addEventListener("abort", () => {
        stop();
        channel.close();
        release();
      });
    });
  // A tab that leaves before its turn takes its request back.
  navigator.locks.request(url, { signal: left.signal }, lead).catch(() => channel.close());
  return () => left.abort();
}

/** Opens the stream, and passes on what it tells; whoever joins later hears the newest of each kind. */
function leadTabs(url: string, channel: BroadcastChannel, listener: Listener): () => void {
  const newest = new Map<string, Said>();
  let timer: number | null = null;
  const tell = (said: Said) => {
    newest.set(said.kind === "event" ? `event ${said.name}` : "state", said);
    take(said, listener);
    channel.postMessage(said);
  };
  const open = () => openStream(url, { events, opened: () => tell({ kind: "opened" }), broke });
  const broke = (isRefused: boolean) => {
    tell({ kind: "broke", isRefused });
    if (!isRefused) return;
    timer = window.setTimeout(() => {
      close = open();
    }, AGAIN_MS);
  };
  const names = Object.keys(listener.events);
  const events = Object.fromEntries(names.map((name) => [name, (data: string) => tell({ kind: "event", name, data })]));
  let close = open();
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind === "joined") for (const said of newest.values()) channel.postMessage(said);
  };
  return () => {
    if (timer !== null) window.clearTimeout(timer);
    close();
  };
}

function take(said: Said, { events, opened, broke }: Listener): void {
  if (said.kind === "event") events[said.name]?.(said.data);
  else if (said.kind === "opened") opened?.();
  else if (said.kind === "broke") broke?.(said.isRefused);
}
