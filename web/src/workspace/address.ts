/**
 * Places inside the workspace. The product's router knows one page, `workspace`; what stands in it is read from the
 * address here, so that going from the list to a lead keeps the side bar, the palette and every answer already fetched.
 */
import { useSyncExternalStore } from "react";
import { asQuery, type Query } from "../paths.ts";

export type Place =
  | { page: "start" }
  | { page: "leads" }
  | { page: "replay"; leadId: string }
  | { page: "finance" }
  | { page: "read_models" }
  | { page: "grants" }
  | { page: "unknown" };

export const leadsPath = (query: Query = {}) => `/workspace/leads${asQuery(query)}`;
/** `v` is the event the page opens at; without it the page stands at now. */
export const replayPath = (leadId: string, v: number | null = null) =>
  `/workspace/leads/${encodeURIComponent(leadId)}${asQuery({ v })}`;
export const financePath = (query: Query = {}) => `/workspace/finance${asQuery(query)}`;

export const readModelsPath = () => "/workspace/read_models";
export const grantsPath = () => "/workspace/grants";

export function placeOf(path: string): Place {
  const [, , page, id, ...rest] = path.split("/");
  if (page === undefined || page === "") return { page: "start" };
  if (page === "leads" && rest.length === 0) {
    if (id === undefined || id === "") return { page: "leads" };
    const leadId = decoded(id);
    return leadId === null ? { page: "unknown" } : { page: "replay", leadId };
  }
  if (page === "finance" && id === undefined) return { page: "finance" };
  if (page === "read_models" && id === undefined) return { page: "read_models" };
  if (page === "grants" && id === undefined) return { page: "grants" };
  return { page: "unknown" };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    // A `%` that begins nothing: somebody shortened the link.
    return null;
  }
}

const listeners = new Set<() => void>();

function here(): string {
  return location.pathname + location.search;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Path and query as they stand in the address bar. */
export function useAddress(): URL {
  const address = useSyncExternalStore(subscribe, here);
  return new URL(address, location.origin);
}

/** Goes to another place of the workspace as a new history entry, remembering where the old one was scrolled to. */
export function go(path: string): void {
  if (path === here()) return;
  history.replaceState({ ...stateNow(), scroll: scrollTop() }, "");
  history.pushState({ ...stateNow(), scroll: 0 }, "", path);
  tell();
}

/** Changes the address without a new history entry: a filter being typed, a play head being dragged. */
export function amend(path: string): void {
  if (path === here()) return;
  history.replaceState(stateNow(), "", path);
  tell();
}

/** Where the entry now shown was scrolled to when it was left. */
export function scrollLeft(): number {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "scroll" in state && typeof state.scroll === "number"
    ? state.scroll
    : 0;
}

function stateNow(): object {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null ? state : {};
}

/** Lists scroll inside the page on a screen, with the window on a phone. */
function scrollTop(): number {
  return (document.querySelector("[data-list-scroll]")?.scrollTop ?? 0) || window.scrollY;
}

export function restoreScroll(): void {
  const top = scrollLeft();
  document.querySelector("[data-list-scroll]")?.scrollTo({ top });
  window.scrollTo({ top });
}
