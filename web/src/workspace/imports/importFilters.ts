import { wordsAsked } from "../asked.ts";

/** Which runs the page of imports shows, as its address says it. */
export interface ImportFilters {
  feed: string | null;
  /** The page before this position. */
  before: number | null;
}

/** Reads the filters of an address; the rest counts as absent. */
export function importFilters(search: { [Name in keyof ImportFilters]?: unknown }): ImportFilters {
  const before = Number(search.before);
  return {
    feed: wordsAsked(search.feed),
    before: Number.isSafeInteger(before) && before > 0 ? before : null,
  };
}
