import { wordsAsked } from "../asked.ts";

/** Pages that the list of content shows: those that words find. */
export interface ContentFilters {
  q: string | null;
}

export function contentFilters(search: { [Name in keyof ContentFilters]?: unknown }): ContentFilters {
  return { q: wordsAsked(search.q) };
}
