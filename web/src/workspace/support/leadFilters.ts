/** The leads list's part of the address. */
import { pageAsked, wordsAsked } from "../asked.ts";
import type { FilterName } from "./leadFilterNames.ts";

export type LeadFilters = Record<FilterName, string | null> & {
  /** The view in force, where it was chosen as one. */
  view: string | null;
  /** Page, absent on the first. */
  p: number | null;
};

/** Reads the filters; anything unreadable counts as absent. */
export function leadFilters(search: Partial<Record<keyof LeadFilters, unknown>>): LeadFilters {
  return {
    q: wordsAsked(search.q),
    status: wordsAsked(search.status),
    attention: wordsAsked(search.attention),
    stage: wordsAsked(search.stage),
    steps: wordsAsked(search.steps),
    owner: wordsAsked(search.owner),
    mentions: wordsAsked(search.mentions),
    team: wordsAsked(search.team),
    city: wordsAsked(search.city),
    property: wordsAsked(search.property),
    partner: wordsAsked(search.partner),
    source: wordsAsked(search.source),
    created_from: wordsAsked(search.created_from),
    created_to: wordsAsked(search.created_to),
    move_in_from: wordsAsked(search.move_in_from),
    move_in_to: wordsAsked(search.move_in_to),
    view: wordsAsked(search.view),
    p: pageAsked(search.p),
  };
}
