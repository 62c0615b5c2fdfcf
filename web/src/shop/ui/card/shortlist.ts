import { useSyncExternalStore } from "react";
import { ApiError, del, get, post } from "../../../api.ts";
import { rewrite } from "../../navigation.ts";
import { session, settledSession, watchSession } from "../../session.ts";
import { storedList } from "../../storedList.ts";

/**
 * Shortlisted homes. A visitor's are kept in this browser and joined with the account's at login (D22); the home asked
 * for before a login waits in the address as `shortlist_inv`.
 */
const local = storedList<string>("latchkey.shortlist", (value) => (typeof value === "string" ? value : null));

let ids: ReadonlySet<string> = new Set();
let started = false;
/** What was pressed since the login: true for added, by home. A list the server read before a press knows nothing of it. */
const pressed = new Map<string, boolean>();
const listeners = new Set<() => void>();
const none: ReadonlySet<string> = new Set();

/** The ids of all shortlisted homes. */
export function useShortlist(): ReadonlySet<string> {
  return useSyncExternalStore(
    subscribe,
    () => ids,
    () => none,
  );
}

function subscribe(listener: () => void): () => void {
  if (!started) {
    started = true;
    set(new Set(local.read()));
    watchSession(() => void join());
    void join();
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: ReadonlySet<string>): void {
  ids = next;
  for (const listener of listeners) listener();
}

/** What a press on a heart did: `login` asks the caller to open the login dialog. */
export type Shortlisted = "added" | "removed" | "login" | "failed";

export async function toggleShortlist(id: string): Promise<Shortlisted> {
  const had = ids.has(id);
  pressed.set(id, !had);
  set(withPressed(ids));
  if ((await settledSession()).state !== "user") {
    pressed.delete(id);
    local.write([...ids]);
    addressOf(had ? null : id);
    return had ? "removed" : "login";
  }
  try {
    if (had) await del("/api/v0/auth/users/inventories_shortlists/{id}", { path: { id } });
    else await add(id);
    return had ? "removed" : "added";
  } catch {
    // Only this home goes back: others may have been pressed meanwhile.
    pressed.set(id, had);
    set(withPressed(ids));
    return "failed";
  }
}

function withPressed(list: Iterable<string>): ReadonlySet<string> {
  const all = new Set(list);
  for (const [id, isOn] of pressed) {
    if (isOn) all.add(id);
    else all.delete(id);
  }
  return all;
}

async function add(id: string): Promise<void> {
  await post("/api/v0/auth/users/inventories_shortlists", { body: { inventories_shortlist: { inventory_id: id } } });
}

// After a login: what waited here goes to the account, and the account's list comes here.
async function join(): Promise<void> {
  if (session().state !== "user") return pressed.clear();
  const waiting = new Set(local.read());
  const pending = new URLSearchParams(location.search).get("shortlist_inv");
  if (pending) waiting.add(pending);
  for (const id of waiting) {
    try {
      await add(id);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status === 401) return;
    }
  }
  local.write([]);
  addressOf(null);
  try {
    const activity = await get("/api/v0/users/activity", { query: { tab: "shortlisted" }, fresh: true });
    set(withPressed(activity.shortlisted.map((home) => home.id)));
  } catch {
    set(withPressed([...ids, ...waiting]));
  }
}

function addressOf(id: string | null): void {
  const url = new URL(location.href);
  if (url.searchParams.get("shortlist_inv") === id) return;
  if (id) url.searchParams.set("shortlist_inv", id);
  else url.searchParams.delete("shortlist_inv");
  rewrite(url.pathname + url.search + url.hash);
}
