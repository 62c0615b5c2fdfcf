/** Whether the server was reached the last time, so that what is shown as live is. */
import type { QueryCacheNotifyEvent } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError } from "../api.ts";

let answered = true;
let brokenStreams = 0;
type QueryStep = Extract<QueryCacheNotifyEvent, { type: "updated" }>;

const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A 503 is the answer of a server that cannot look at the log: nothing is live then. */
function isAnswer({ kind, status }: ApiError): boolean {
  return kind === "refused" && status < 500;
}

/** What the newest step of a query says of the server; `null` when it says nothing. */
function toldBy({ action, query }: QueryStep): boolean | null {
  // A browser that knows that it is offline does not even try.
  if (query.state.fetchStatus === "paused") return false;
  switch (action.type) {
    case "success":
      return action.manual ? null : true;
    // Each try: a query is tried three times before it has failed.
    case "failed":
    case "error":
      return action.error instanceof ApiError ? isAnswer(action.error) : null;
    default:
      return null;
  }
}

/** Takes down how the newest query went. */
export function heardOf(event: QueryCacheNotifyEvent): void {
  const told = event.type === "updated" ? toldBy(event) : null;
  if (told === null || told === answered) return;
  answered = told;
  tell();
}

/** A stream of events is interrupted until the returned function is called. */
export function streamBroke(): () => void {
  brokenStreams += 1;
  tell();
  return () => {
    brokenStreams -= 1;
    tell();
  };
}

/** `false` from the first call that came to nothing, or while a stream of events is interrupted. */
export function useConnected(): boolean {
  return useSyncExternalStore(subscribe, () => answered && brokenStreams === 0);
}
