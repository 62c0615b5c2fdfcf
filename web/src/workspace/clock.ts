/** Moments as staff read them: always UTC, so that two people looking at one event read one time. */
import { useSyncExternalStore } from "react";
import type { Lang } from "../contract/wire.ts";
import { serverNow } from "../serverClock.ts";

const TAGS: Readonly<Record<Lang, string>> = { en: "en-GB", zh: "zh-CN", es: "es-ES", fr: "fr-FR", de: "de-DE" };

const formats = new Map<string, Intl.DateTimeFormat>();

function format(lang: Lang, options: Intl.DateTimeFormatOptions, iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const name = lang + JSON.stringify(options);
  const known = formats.get(name) ?? new Intl.DateTimeFormat(TAGS[lang], { timeZone: "UTC", ...options });
  formats.set(name, known);
  return known.format(at);
}

/** 10:41:07 */
export function clockTime(iso: string): string {
  return iso.slice(11, 19);
}

/** 2026-11-13, for grouping by day. */
export function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

/** Friday 13 November */
export function longDay(iso: string, lang: Lang): string {
  return format(lang, { weekday: "long", day: "numeric", month: "long" }, iso).replace(",", "");
}

/** Fri 13 Nov */
export function shortDay(iso: string, lang: Lang): string {
  return format(lang, { weekday: "short", day: "numeric", month: "short" }, iso).replace(",", "");
}

/** Fri 13 Nov 2026 */
export function dayWithYear(iso: string, lang: Lang): string {
  return format(lang, { weekday: "short", day: "numeric", month: "short", year: "numeric" }, iso).replace(",", "");
}

/** 13 Nov 2026 */
export function plainDay(iso: string, lang: Lang): string {
  return format(lang, { day: "numeric", month: "short", year: "numeric" }, iso);
}

/** Fri 13 Nov 2026, 10:41:07 UTC */
export function fullMoment(iso: string, lang: Lang): string {
  return `${dayWithYear(iso, lang)}, ${clockTime(iso)} UTC`;
}

/** 2 Nov 15:20:44 */
export function dayAndTime(iso: string, lang: Lang): string {
  return `${format(lang, { day: "numeric", month: "short" }, iso)} ${clockTime(iso)}`;
}

export type Span = { unit: "s" | "min" | "h" | "d"; count: number; rest: number };

/** How long, in the largest unit that says something: 132 s is 2 min and 12 s rest. */
export function spanOf(milliseconds: number): Span {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return { unit: "s", count: seconds, rest: 0 };
  if (seconds < 3600) return { unit: "min", count: Math.floor(seconds / 60), rest: seconds % 60 };
  if (seconds < 86_400)
    return { unit: "h", count: Math.floor(seconds / 3600), rest: Math.floor((seconds % 3600) / 60) };
  return { unit: "d", count: Math.floor(seconds / 86_400), rest: Math.floor((seconds % 86_400) / 3600) };
}

let now = serverNow();
const watchers = new Set<() => void>();
let timer: number | undefined;

/** The time in steps of fifteen seconds: enough for "12 min" and "2 h ago", and one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= window.setInterval(tick, 15_000);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = serverNow();
  for (const watcher of watchers) watcher();
}
