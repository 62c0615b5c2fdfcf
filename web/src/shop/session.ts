import { useSyncExternalStore } from "react";
import { ApiError, get } from "../api.ts";
import type { User } from "../contract/wire.ts";

/** Who is here: `unknown` until the server has said; pages are the same for everybody until then. */
export type Session = { state: "unknown" } | { state: "visitor" } | { state: "user"; user: User };

let now: Session = { state: "unknown" };
const listeners = new Set<() => void>();
const atFirst: Session = { state: "unknown" };

export function useSession(): Session {
  return useSyncExternalStore(
    watchSession,
    () => now,
    () => atFirst,
  );
}

/** Who is here at this moment, outside components. */
export function session(): Session {
  return now;
}

/** Calls back after every login and logout; answers how to stop. */
export function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** After a login, with the user the server answered; after a logout, with none. */
export function setSession(user: User | null, ended = false): void {
  // Fetched beside the first page, whose weight it would be. What could not be settled waits for the next session: it names its account.
  import("./personalDrafts.ts").then(
    (drafts) => drafts.follow(user?.id ?? null, ended),
    () => {},
  );
  show(user);
}

/** After a logout or an erasure here: what was typed goes too, also by who was never seen logged in. */
export const endSession = (): void => setSession(null, true);

function show(user: User | null): void {
  now = user ? { state: "user", user } : { state: "visitor" };
  for (const listener of listeners) listener();
}

let asked: Promise<void> | undefined;

/** Asks the server, once a page, who holds this browser's cookie. */
export function loadSession(): Promise<void> {
  asked ??= askWho();
  return asked;
}

/** Who is here, once the server has said; `unknown` only without a network. For what must not take a user for a visitor. */
export async function settledSession(): Promise<Session> {
  await loadSession();
  return now;
}

async function askWho(): Promise<void> {
  try {
    setSession(await get("/api/v0/users/details", { fresh: true }));
  } catch (failure) {
    // Spec §8: failing to load the user sets an empty, logged-out user; offline keeps "unknown".
    if (failure instanceof ApiError && failure.kind === "refused") show(null);
  }
}
