import { localeOf } from "../../ui/localeOf.ts";

/** How long an instant is from `now`, before it or after, in the largest whole unit: "3 hours ago", "in 2 days". */
export function sayWhen(at: string, now: string, lang: string): string {
  const minutes = Math.trunc((Date.parse(at) - Date.parse(now)) / 60_000);
  const far = Math.abs(minutes);
  const [amount, unit]: [number, "minute" | "hour" | "day"] =
    far < 60
      ? [minutes, "minute"]
      : far < 2_880
        ? [Math.trunc(minutes / 60), "hour"]
        : [Math.trunc(minutes / 1_440), "day"];
  return new Intl.RelativeTimeFormat(localeOf(lang), { numeric: "auto" }).format(amount, unit);
}
