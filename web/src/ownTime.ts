import { useMemo, useSyncExternalStore } from "react";
import { date } from "./i18n/format.ts";
import { useI18n } from "./i18n/i18n.tsx";
import { wallClock } from "./zoneClock.ts";

/** An instant as the reader's own clock shows it, written as the wire writes one; a plain day stays that day. */
export function onOwnClock(iso: string, zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const at = new Date(iso);
  if (!iso.includes("T") || Number.isNaN(at.getTime())) return iso;
  const { date: day, time } = wallClock(at, zone);
  return `${day}T${time}`;
}

const neverChanges = () => () => undefined;

/**
 * Instants on the reader's own clock: `day` 4 Sep 2026, `time` 14:05, `moment` both. Whoever draws a page before it is in the
 * browser knows no clock of the reader's: until then the day alone is shown.
 */
export function useOwnTime() {
  const { lang } = useI18n();
  const isThere = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  return useMemo(() => {
    const own = (iso: string) => (isThere ? onOwnClock(iso) : iso);
    const day = (iso: string, style: "day" | "short" = "day") => date(own(iso), style, lang);
    const time = (iso: string) => (isThere ? date(own(iso), "time", lang) : "");
    const moment = (iso: string) => (isThere ? date(own(iso), "moment", lang) : day(iso));
    return { day, time, moment };
  }, [isThere, lang]);
}
