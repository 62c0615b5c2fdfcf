import { wordsAsked } from "../asked.ts";

/** What the page of places shows: those that words find, and the one that is open. */
export interface PlacesFilters {
  q: string | null;
  place: string | null;
}

export function placesFilters(search: { [Name in keyof PlacesFilters]?: unknown }): PlacesFilters {
  return { q: wordsAsked(search.q), place: wordsAsked(search.place) };
}
