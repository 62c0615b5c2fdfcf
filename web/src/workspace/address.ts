/** Addresses inside the workspace, and going from one to another; `router.tsx` says what stands at each. */
import { createBrowserHistory } from "@tanstack/react-router";
import { asQuery, type Query } from "../paths.ts";

export const leadsPath = (query: Query = {}) => `/workspace/leads${asQuery(query)}`;
/** `v` is the event the page opens at; without it the page stands at now. */
export const replayPath = (leadId: string, v: number | null = null) =>
  `/workspace/leads/${encodeURIComponent(leadId)}${asQuery({ v })}`;
export const financePath = (query: Query = {}) => `/workspace/finance${asQuery(query)}`;

export const readModelsPath = () => "/workspace/read_models";
export const grantsPath = () => "/workspace/grants";

/** The window's history, which the router follows. */
export const places = createBrowserHistory();

function here(): string {
  return location.pathname + location.search;
}

/** Goes to another place of the workspace as a new history entry, remembering where the old one was scrolled to. */
export function go(path: string): void {
  if (path === here()) return;
  // Past the router, which takes every change of the window's own history for another place.
  History.prototype.replaceState.call(history, { ...stateNow(), scroll: scrollTop() }, "");
  places.push(path, { scroll: 0 });
}

/** Changes the address without a new history entry: a filter being typed, a play head being dragged. */
export function amend(path: string): void {
  if (path === here()) return;
  places.replace(path, stateNow());
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
