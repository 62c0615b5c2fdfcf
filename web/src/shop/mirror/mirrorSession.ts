/** The mirror of this tab: its code, its begin, what is told while it is open, and its end. */
import { ApiError, buildAddress, del, post, put } from "../../api.ts";
import type { MirrorEnd, MirrorNudge, MirrorReport } from "../../contract/wire.ts";
import { onTop, rememberedMirror, rememberMirror, showMirror, watchMirrored } from "../ui/mirrored.ts";
import { isRetry, reportOf } from "./report.ts";

export type MirrorView =
  | { kind: "asking" }
  /** Only an account has a history that keeps what was seen. */
  | { kind: "visitor" }
  | { kind: "failed"; message: string | null }
  | { kind: "waiting"; code: string }
  | { kind: "open"; nudge: MirrorNudge | null }
  | { kind: "over"; reason: MirrorEnd | null };

/** What the server's stream tells. */
interface Told {
  state: "waiting" | "open" | "over";
  ended_by: MirrorEnd | null;
  nudge: MirrorNudge | null;
}

/** How often a refused stream is opened anew, and after which time. */
const TRIES = 3;
const AGAIN_MS = 2_000;

let view: MirrorView = { kind: "asking" };
let isAsking = false;
let refused = 0;
let mirrorId: string | null = null;
let stream: EventSource | null = null;
let stopTelling: (() => void) | null = null;
const listeners = new Set<() => void>();

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const current = (): MirrorView => view;

function turn(next: MirrorView): void {
  view = next;
  for (const listener of listeners) listener();
}

/** Goes on with the mirror that this tab had before a reload, or asks for a code. */
export function begin(): void {
  if (stream !== null || view.kind !== "asking" || isAsking) return;
  const known = rememberedMirror();
  if (known === null) void offer();
  else follow(known);
}

/** Asks the server for a code. */
export async function offer(): Promise<void> {
  turn({ kind: "asking" });
  isAsking = true;
  try {
    const made = await post("/api/v0/users/mirrors", { body: { page: onTop()?.page ?? "booking_form" } });
    rememberMirror(made.mirror_id);
    turn({ kind: "waiting", code: made.code });
    follow(made.mirror_id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) turn({ kind: "visitor" });
    else turn({ kind: "failed", message: error instanceof ApiError && error.status > 0 ? error.message : null });
  } finally {
    isAsking = false;
  }
}

function follow(id: string): void {
  mirrorId = id;
  // Open in a hidden tab too: the server ends the mirror of a page that it misses.
  stream = new EventSource(buildAddress("/api/v0/users/mirrors/{id}/stream", { path: { id } }));
  stream.addEventListener("mirror", (message: MessageEvent<string>) => take(JSON.parse(message.data)));
  stream.addEventListener("error", () => {
    // A stream that broke is opened again by the browser. One that was refused is tried a few times more: a page that is left, too, hears of
    // an error, and goes on with the mirror when it comes back.
    if (stream?.readyState === EventSource.CLOSED) setTimeout(() => again(id), AGAIN_MS);
  });
}

function again(id: string): void {
  if (mirrorId !== id) return;
  refused += 1;
  if (refused > TRIES) leave(null);
  else follow(id);
}

function take(told: Told): void {
  refused = 0;
  if (told.state === "over") leave(told.ended_by);
  else if (told.state === "open") {
    turn({ kind: "open", nudge: told.nudge });
    stopTelling ??= tell(mirrorId ?? "");
  } else if (view.kind !== "waiting") {
    // The code was on screen before a reload only.
    void end();
  }
}

function leave(reason: MirrorEnd | null): void {
  stream?.close();
  stream = null;
  stopTelling?.();
  stopTelling = null;
  mirrorId = null;
  rememberMirror(null);
  turn({ kind: "over", reason });
}

/** The person ends it. What the server does not hear now ends there when this page is missed. */
export async function end(): Promise<void> {
  const id = mirrorId;
  leave("student");
  if (id !== null) await del("/api/v0/users/mirrors/{id}", { path: { id } }).catch(() => undefined);
}

/** Puts the part away; the next press asks for a new code. */
export function putAway(): void {
  showMirror(false);
  view = { kind: "asking" };
}

/** Names of the fields on screen, of a dialog's where one is open. */
function fieldsOnScreen(): string[] {
  const within = document.querySelector("dialog[open]") ?? document.querySelector("main") ?? document.body;
  const controls = within.querySelectorAll("input, select, textarea");
  return [...controls].flatMap((control) => {
    if (control.closest("[aria-hidden=true]") !== null || control.getAttribute("type") === "hidden") return [];
    return nameOf(control) || [];
  });
}

/** What a field is called: a phone number's says it in its id. */
export function nameOf(control: Element): string {
  return /^(field|lead|booker)-/.test(control.id) ? control.id : (control.getAttribute("name") ?? control.id);
}

/** Tells each step of the machine on top until it is stopped; one at a time, the newest last. */
function tell(id: string): () => void {
  let [isSending, retries, spelled] = [false, 0, ""];
  let before: string | null = null;
  let watched: { unsubscribe: () => void } | null = null;
  let next: MirrorReport | null = null;
  const send = async () => {
    if (isSending || next === null) return;
    const report = next;
    [isSending, next] = [true, null];
    await put("/api/v0/users/mirrors/{id}/report", { path: { id }, body: report }).catch(() => {
      // What did not arrive is told with the next step.
      spelled = "";
    });
    isSending = false;
    await send();
  };
  const look = () => {
    const mirrored = onTop();
    if (mirrored === null) return;
    const report = reportOf(mirrored, fieldsOnScreen(), retries);
    if (isRetry(before, report.state)) {
      retries += 1;
      report.retries = retries;
    }
    before = report.state;
    const text = JSON.stringify(report);
    if (text === spelled) return;
    spelled = text;
    next = report;
    void send();
  };
  // The fields stand on screen only after the machine has moved.
  const soon = () => requestAnimationFrame(look);
  const watch = () => {
    watched?.unsubscribe();
    watched = onTop()?.actor.subscribe(soon) ?? null;
    soon();
  };
  const stop = watchMirrored(watch);
  watch();
  return () => {
    stop();
    watched?.unsubscribe();
  };
}
