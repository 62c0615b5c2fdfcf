/** Streams of events that are open while their tab is seen: over HTTP/1.1 a browser has six connections to a site, for all its tabs. */

/** Callbacks for what a stream tells. */
export interface Listener {
  /** By the name of an event: takes its data. */
  events: Record<string, (data: string) => void>;
  opened?: () => void;
  /** The stream is interrupted; the browser opens it again by itself, unless the server refused it. */
  broke?: (isRefused: boolean) => void;
  /** The tab was hidden, and the stream closed, or it is seen again. */
  turned?: (isSeen: boolean) => void;
}

/** Opens a stream; answers how to close it. */
export function openStream(url: string, { events, opened, broke }: Listener): () => void {
  if (typeof EventSource === "undefined") return () => undefined;
  const source = new EventSource(url);
  for (const [name, take] of Object.entries(events)) {
    source.addEventListener(name, (message: MessageEvent<string>) => take(message.data));
  }
  source.addEventListener("open", () => opened?.());
  source.addEventListener("error", () => broke?.(source.readyState === EventSource.CLOSED));
  return () => source.close();
}

/** Does something for as long as the tab is seen, each time anew; answers how to end it. */
export function whileSeen(begin: () => () => void, turned?: (isSeen: boolean) => void): () => void {
  let end = document.hidden ? null : begin();
  const look = () => {
    if (document.hidden === (end === null)) return;
    end?.();
    end = end === null ? begin() : null;
    turned?.(end !== null);
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    end?.();
  };
}

/** Listens to a stream while the tab is seen; answers how to stop. Its first event, or the listener, reads what was missed. */
export function listenWhileSeen(url: string, listener: Listener): () => void {
  return whileSeen(() => openStream(url, listener), listener.turned);
}
