import { useSyncExternalStore } from "react";
import type { PagePayload } from "../contract/wire.ts";
import { loadAreas } from "../i18n/catalogue.ts";
import { fetchPage, type RouteName } from "../page.ts";
import { findMissing } from "../ui/lazyPart.tsx";
import { forgetReload, reloadOnce } from "../ui/reloadOnce.ts";
import { fetchMissingStyles } from "../ui/styleSheets.ts";
import { askedLogin, withoutLogin } from "./login/nextPath.ts";
import type { Frame, PageView, Route } from "./routes.tsx";
import { settledSession, watchSession } from "./session.ts";
import { historySettled, isDialogEntry } from "./ui/dialogEntry.ts";
import { openLogin } from "./ui/overlays.ts";

/** The page on screen. */
export interface Screen {
  /** Changes with every history entry; what belongs to one visit of a page is kept under it. */
  key: string;
  /** Path and query. */
  url: string;
  payload: PagePayload;
  view: PageView;
  frame: Frame;
}

interface Shown {
  screen: Screen | null;
  /** A page is on its way. */
  pending: boolean;
  /** The last navigation failed, and how it is tried again; the old page stays. */
  failure: { cause: unknown; retry: () => void } | null;
}

interface Visit {
  screen: Screen;
  scroll: number;
}

/** Where the reader lands: `keep` for changes inside a page, such as a filter. */
export interface NavigateOptions {
  replace?: boolean;
  scroll?: "top" | "keep";
}

let shown: Shown = { screen: null, pending: false, failure: null };
const listeners = new Set<() => void>();
const visits = new Map<string, Visit>();
/** The page's address, where it was rewritten in the entry of a dialog: the page's own entry gets it when the dialog goes. */
let underDialog: string | null = null;
const prefetched = new Map<string, { at: number; payload: Promise<PagePayload> }>();
let running: AbortController | null = null;
let isFirstPage = true;
// The route table names every page chunk; it comes from outside so that the server bundle does not carry them all.
let routeOf: (name: RouteName) => Route = () => {
  throw new Error("navigation before `begin`");
};

/** Prefetched payloads are believed this long. */
const prefetchMs = 30_000;
const visitsKept = 20;

export function useShown(): Shown {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => shown,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(next: Partial<Shown>): void {
  shown = { ...shown, ...next };
  for (const listener of listeners) listener();
}

/** Shows the first page, from the payload in the HTML, and begins to listen to Back and Forward. */
export async function begin(payload: PagePayload, routes: (name: RouteName) => Route): Promise<Screen> {
  routeOf = routes;
  const key = keyOf(history.state) ?? newVisit();
  history.replaceState({ ...asRecord(history.state), key }, "");
  history.scrollRestoration = "manual";
  const screen = await screenFor(payload, here(), key);
  forgetReload();
  shown = { screen, pending: false, failure: null };
  isFirstPage = true;
  window.addEventListener("popstate", onPop);
  // What was fetched ahead was answered to who was here then.
  watchSession(() => prefetched.clear());
  return screen;
}

/** D19: the address of the first page may ask for a login; who is logged in already goes on to where it leads. */
export async function answerFirstAddress(): Promise<void> {
  const asked = askedLogin(new URL(location.href));
  if (!asked) return;
  const { state } = await settledSession();
  if (state !== "user") openLogin(asked.next);
  else if (asked.next) await navigate(asked.next, { replace: true });
  else rewrite(withoutLogin(new URL(location.href)));
}

/**
 * Goes to an address of this site; another site's address leaves it. Answers whether its page is there: without the network it is not,
 * nor where a login is asked for first, which is done over the page on screen (D19).
 */
export async function navigate(href: string, options: NavigateOptions = {}): Promise<boolean> {
  const target = new URL(href, location.href);
  if (target.origin !== location.origin) {
    location.assign(target);
    return true;
  }
  const url = target.pathname + target.search;
  const asked = askedLogin(target);
  if (asked && target.pathname === "/" && shown.screen && !options.replace) return askHere(asked.next);
  const retry = () => void navigate(href, options);
  const payload = await arrive(url, retry);
  if (!payload) return false;
  if (payload.redirect) return navigate(payload.redirect, { ...options, replace: options.replace ?? false });
  if (payload.route === "workspace") return leaveFor(url + target.hash, options);
  const mine = running;
  const key = options.replace && shown.screen ? shown.screen.key : newVisit();
  const screen = await screenOrReload(payload, url, key, retry);
  if (!screen) return false;
  await historySettled();
  if (mine?.signal.aborted) return false;
  underDialog = null;
  remember();
  const state = { key: screen.key };
  if (options.replace || isDialogEntry()) history.replaceState(state, "", url + target.hash);
  else history.pushState(state, "", url + target.hash);
  place(screen);
  if (asked) openLogin(asked.next);
  if (options.scroll === "keep") return true;
  scrollToTarget(target.hash, 0);
  if (!target.hash) readFromTheTop();
  return true;
}

/** Opens the login over the page on screen, which stays. */
function askHere(next: string | null): false {
  running?.abort();
  show({ pending: false, failure: null });
  openLogin(next);
  return false;
}

/**
 * The workspace is an application of its own: its document is loaded whole. Does not come to an end: whatever were done after it,
 * such as a dialog going back in the history, would stop the browser's leaving.
 */
async function leaveFor(url: string, options: NavigateOptions): Promise<never> {
  await historySettled();
  if (options.replace || isDialogEntry()) location.replace(url);
  else location.assign(url);
  return new Promise<never>(() => undefined);
}

/** Loads an address before it is asked for: on hover, focus or touch. */
export function prefetch(href: string): void {
  const target = new URL(href, location.href);
  if (target.origin !== location.origin || savesData()) return;
  const url = target.pathname + target.search;
  const known = prefetched.get(url);
  if (known && Date.now() - known.at < prefetchMs) return;
  const payload = fetchPage(url);
  prefetched.set(url, { at: Date.now(), payload });
  payload.then(
    (page) =>
      void Promise.allSettled([routeOf(page.route).load(), loadAreas(page.chrome.lang, routeOf(page.route).areas)]),
    () => prefetched.delete(url),
  );
}

/** The payload of an address, from the prefetched ones where it is fresh. */
export function pageAt(url: string, signal?: AbortSignal): Promise<PagePayload> {
  const known = prefetched.get(url);
  if (known && Date.now() - known.at < prefetchMs) return known.payload;
  return fetchPage(url, signal);
}

/** Changes the address without a new page, for what the page itself already shows (such as `shortlist_inv`). */
export function rewrite(url: string): void {
  if (!shown.screen) return;
  history.replaceState(history.state, "", url);
  underDialog = isDialogEntry() ? url : null;
  show({ screen: { ...shown.screen, url } });
}

async function arrive(url: string, retry: () => void): Promise<PagePayload | null> {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  show({ pending: true, failure: null });
  try {
    const payload = await pageAt(url, mine.signal);
    return mine.signal.aborted ? null : payload;
  } catch (cause) {
    if (!mine.signal.aborted) show({ pending: false, failure: { cause, retry } });
    return null;
  }
}

async function screenFor(payload: PagePayload, url: string, key: string): Promise<Screen> {
  const route = routeOf(payload.route);
  const [view] = await Promise.all([
    inTime(fetchMissingStyles().then(() => route.load())),
    loadAreas(payload.chrome.lang, ["ui", "shell", ...route.areas]),
  ]);
  return { key, url, payload, view, frame: route.frame };
}

// After a deploy the old page's chunks are gone: one full load brings the new ones, a second failure is told. A load without
// the network would leave the reader on the browser's own page, and lose what was typed on this one.
async function screenOrReload(
  payload: PagePayload,
  url: string,
  key: string,
  retry: () => void,
): Promise<Screen | null> {
  const mine = running;
  try {
    const screen = await screenFor(payload, url, key);
    forgetReload();
    return mine?.signal.aborted ? null : screen;
  } catch {
    const cause = await findMissing();
    // The reader is elsewhere by now.
    if (mine?.signal.aborted) return null;
    if (!cause.isReplaced || !reloadOnce(url)) show({ pending: false, failure: { cause, retry } });
    return null;
  }
}

/** Spec §9: a chunk that has not come after 120 s counts as lost. */
const chunkMs = 120_000;

function inTime<T>(chunk: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(() => reject(new Error("the page's code did not come in time")), chunkMs);
    chunk.then(resolve, reject).finally(() => window.clearTimeout(timer));
  });
}

/** Spec §9: the chunks a visitor is likely to need next come in quiet moments, 2 s after the start, 1 s after a page. */
export function fetchAhead(): void {
  if (savesData()) return;
  const likely: RouteName[] = ["search", "property"];
  const fetchChunks = () => {
    for (const name of likely)
      void routeOf(name)
        .load()
        .catch(() => undefined);
  };
  window.setTimeout(fetchChunks, startMs);
  listeners.add(() => {
    if (!shown.pending) window.setTimeout(fetchChunks, changeMs);
  });
}

const startMs = 2000;
const changeMs = 1000;

/** Whether the page on screen came by a link of the page before it, and not with a document of its own. */
export const cameByLink = (): boolean => !isFirstPage;

function place(screen: Screen): void {
  isFirstPage = false;
  const { head, chrome } = screen.payload;
  document.title = head.title;
  document.documentElement.lang = chrome.lang;
  show({ screen, pending: false, failure: null });
}

function onPop(event: PopStateEvent): void {
  const key = keyOf(event.state);
  const url = here();
  if (shown.screen && (key === shown.screen.key || (key === null && url === shown.screen.url))) {
    if (underDialog !== null) history.replaceState(event.state, "", underDialog);
    underDialog = null;
    return;
  }
  remember();
  const visit = key ? visits.get(key) : undefined;
  if (visit) {
    running?.abort();
    place(visit.screen);
    scrollToTarget("", visit.scroll);
    return;
  }
  void comeBack(url, key ?? newVisit());
}

/** Shows the page of an entry that this document has not shown yet. */
async function comeBack(url: string, key: string): Promise<void> {
  const retry = () => void comeBack(url, key);
  const payload = await arrive(url, retry);
  if (!payload) return;
  // The entry was left within a login that has ended, or its page has moved.
  if (payload.redirect) {
    await navigate(payload.redirect, { replace: true });
    return;
  }
  const screen = await screenOrReload(payload, url, key, retry);
  if (screen) place(screen);
}

/** Keeps the page being left, as it stands and where it was read, for Back. */
function remember(): void {
  if (!shown.screen) return;
  visits.set(shown.screen.key, { screen: shown.screen, scroll: window.scrollY });
  const oldest = visits.keys().next().value;
  if (visits.size > visitsKept && oldest) visits.delete(oldest);
}

function scrollToTarget(hash: string, top: number): void {
  requestAnimationFrame(() => {
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) target.scrollIntoView();
    else window.scrollTo(0, top);
  });
}

// A new page begins at its top for those who hear it, too; nothing is drawn around the page itself.
function readFromTheTop(): void {
  requestAnimationFrame(() => {
    const main = document.getElementById("main");
    if (!main || document.querySelector("dialog[open]")) return;
    // Its headline has been given the focus already.
    if (document.activeElement?.matches("#main [tabindex='-1']")) return;
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
  });
}

function here(): string {
  return location.pathname + location.search;
}

function newVisit(): string {
  return Math.random().toString(36).slice(2);
}

function asRecord(state: unknown): object {
  return typeof state === "object" && state !== null ? state : {};
}

function keyOf(state: unknown): string | null {
  return typeof state === "object" && state !== null && "key" in state && typeof state.key === "string"
    ? state.key
    : null;
}

function savesData(): boolean {
  return (
    "connection" in navigator &&
    typeof navigator.connection === "object" &&
    navigator.connection !== null &&
    "saveData" in navigator.connection &&
    navigator.connection.saveData === true
  );
}
