import { wordsAsked } from "../asked.ts";

/** The runs that the page of feeds shows, as its address says it. */
export interface FeedsFilters {
  feed: string | null;
  /** The page before this position. */
  before: number | null;
}

/** Reads the filters of an address; the rest counts as absent. */
export function feedsFilters(search: { [Name in keyof FeedsFilters]?: unknown }): FeedsFilters {
  const before = Number(search.before);
  return {
    feed: wordsAsked(search.feed),
    before: Number.isSafeInteger(before) && before > 0 ? before : null,
  };
}

/** The upload that an import goes on with, as its address says it; null begins a new one. */
export function uploadAsked(search: { upload?: unknown }): { upload: string | null } {
  return { upload: wordsAsked(search.upload) };
}
