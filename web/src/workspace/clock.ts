/**
 * Moments as staff read them: on the reader's own clock, everywhere. UTC is named only where two zones meet: the days and
 * months of the books, which end at midnight UTC, and what a log stored.
 */
import { useSyncExternalStore } from "react";
import type { Lang } from "../contract/wire.ts";
import { FALLBACK } from "../i18n/languages.ts";
import { serverNow } from "../serverClock.ts";
import { localeOf } from "../ui/languageTable.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** A plain day stays that day; an instant is on the reader's clock unless another is asked for. */
function format(lang: Lang, options: Intl.DateTimeFormatOptions, iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const zone = iso.includes("T") ? {} : { timeZone: "UTC" };
  const asked = { ...zone, ...options };
  const name = lang + JSON.stringify(asked);
  const known = formats.get(name) ?? new Intl.DateTimeFormat(localeOf(lang), asked);
  formats.set(name, known);
  return known.format(at);
}

const TO_THE_SECOND = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
const DAY_WITH_YEAR = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;

/** 10:41:07 */
export function clockTime(iso: string): string {
  return format(FALLBACK, TO_THE_SECOND, iso);
}

/** 2026-11-13, for grouping by day. */
export function dayOf(iso: string): string {
  const [day, month, year] = format(FALLBACK, { day: "2-digit", month: "2-digit", year: "numeric" }, iso).split("/");
  return year === undefined ? iso.slice(0, 10) : `${year}-${month}-${day}`;
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
  return format(lang, DAY_WITH_YEAR, iso).replace(",", "");
}

/** 13 Nov 2026 */
export function plainDay(iso: string, lang: Lang): string {
  return format(lang, { day: "numeric", month: "short", year: "numeric" }, iso);
}

/** Fri 13 Nov 2026, 10:41:07 */
export function fullMoment(iso: string, lang: Lang): string {
  return `${dayWithYear(iso, lang)}, ${clockTime(iso)}`;
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
