/**
 * Moments as staff read them: on the reader's own clock, everywhere. UTC is named only where two zones meet: the days and
 * months of the books, which end at midnight UTC, and what a log stored.
 */
import { useSyncExternalStore } from "react";
import type { Lang } from "../contract/wire.ts";
import { date } from "../i18n/format.ts";
import { formsOf } from "../i18n/forms.ts";
import { FALLBACK } from "../i18n/languages.ts";
import { onOwnClock } from "../ownTime.ts";
import { serverNow } from "../serverClock.ts";
import { localeOf } from "../ui/localeOf.ts";
import { dateWithWeekday } from "./weekdays.ts";

let ownZone: string | undefined;
let seconds: Intl.DateTimeFormat | undefined;

/** A plain day stays that day; an instant is on the reader's clock. */
function own(iso: string): string {
  ownZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return onOwnClock(iso, ownZone);
}

/** 10:41:07, which all languages write alike. */
export function clockTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  seconds ??= new Intl.DateTimeFormat(localeOf(FALLBACK), {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  return seconds.format(at);
}

/** 2026-11-13, for grouping by day. */
export function dayOf(iso: string): string {
  return own(iso).slice(0, 10);
}

/** Friday 13 November */
export function longDay(iso: string, lang: Lang): string {
  return dateWithWeekday(own(iso), "weekday_long", lang);
}

/** Fri 13 Nov */
export function shortDay(iso: string, lang: Lang): string {
  return dateWithWeekday(own(iso), "weekday_short", lang);
}

/** Fri 13 Nov 2026 */
export function dayWithYear(iso: string, lang: Lang): string {
  return dateWithWeekday(own(iso), "weekday", lang);
}

/** 13 Nov 2026 */
export function plainDay(iso: string, lang: Lang): string {
  return date(own(iso), "day", lang);
}

/** Fri 13 Nov 2026, 10:41:07 */
export function fullMoment(iso: string, lang: Lang): string {
  return dayWithYear(iso, lang) + formsOf(lang).date_time + clockTime(iso);
}

/** 2 Nov 15:20:44 */
export function dayAndTime(iso: string, lang: Lang): string {
  return `${date(own(iso), "short", lang)} ${clockTime(iso)}`;
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
