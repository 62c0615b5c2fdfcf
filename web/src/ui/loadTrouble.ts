import { ApiError } from "../api.ts";
import type { Translate } from "../i18n/i18n.tsx";
import "../i18n/startTexts.ts";
import { PartMissing } from "./lazyPart.tsx";

/** Says why a page, or a part of one, did not come, and what to do about it. */
export function loadText(failure: unknown, t: Translate): string {
  if (failure instanceof PartMissing) return t(failure.isReplaced ? "start.new_version" : "start.offline");
  if (!(failure instanceof ApiError)) return t("start.broken");
  const { kind, status, retryAfter } = failure;
  if (kind === "offline" || kind === "timeout") return t("start.offline");
  if (status === 429) return t("start.too_many", { n: retryAfter ?? 1 });
  if (status === 503) return t("start.busy", { n: retryAfter ?? 5 });
  return t("start.broken");
}

/** What can be pressed beside that sentence. */
export interface WayOn {
  label: string;
  act: () => void;
}

/** Trying again, or the page anew where a deploy took its files away. */
export function wayOn(failure: unknown, t: Translate, retry: () => void): WayOn {
  if (failure instanceof PartMissing && failure.isReplaced) {
    return { label: t("start.reload"), act: () => location.reload() };
  }
  return { label: t("start.retry"), act: retry };
}
