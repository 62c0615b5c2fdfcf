/** The moment that the workspace shows: now, or the position of an event from which every page is read (N1). */
import { useSyncExternalStore } from "react";
import { readPast } from "../api.ts";

const BASE = "/api/v0/workspace/";
/** Who is here is asked of the present, with where the log ends. */
const PRESENT = `${BASE}me`;

/** An event's position, or an instant; null is now. */
export type PastMoment = number | string | null;

let shown: PastMoment = null;
const listeners = new Set<() => void>();
let forget: () => void = () => undefined;

/** The moment that an address names; null where it names none. */
export function momentIn(search: string): PastMoment {
  const params = new URLSearchParams(search);
  // Finance once named its moment on its own: kept addresses show what they showed.
  const said = params.get("as_of") ?? params.get("asof") ?? "";
  if (/^\d+$/.test(said)) return Number(said);
  return Number.isNaN(Date.parse(said)) ? null : said;
}

/** The search of an address with the moment that is shown, so that a link, a reload and the way back keep it. */
export function withMoment<S extends object>(search: S): S & { as_of: PastMoment } {
  return { ...search, as_of: shown };
}

/** Called when another moment is shown, before any page is drawn for it: what was read belongs to the moment before. */
export function forgetWith(forgetRead: () => void): () => void {
  forget = forgetRead;
  return () => {
    forget = () => undefined;
  };
}

/** An address with its moment. */
export function addressAt(moment: NonNullable<PastMoment>, path: string): string {
  if (!path.startsWith(BASE) || path === PRESENT) return path;
  return `${path}${path.includes("?") ? "&" : "?"}as_of=${encodeURIComponent(moment)}`;
}

/** The address of a file as a link names it: of the moment that is shown, as every read. */
export function fileAddress(path: string): string {
  return shown === null ? path : addressAt(shown, path);
}

/** Shows every page as it was; null comes back to now. */
export function showMoment(moment: PastMoment): void {
  if (moment === shown) return;
  shown = moment;
  readPast(moment === null ? null : (path) => addressAt(moment, path));
  forget();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePastMoment(): PastMoment {
  return useSyncExternalStore(subscribe, () => shown);
}
