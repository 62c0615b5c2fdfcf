/** The part of the address that belongs to the pages of homes. */
import { wordsAsked } from "../asked.ts";

export const HOME_STATES = ["active", "in_review", "changes_asked", "draft", "paused", "closed", "deleted"] as const;
export const LACKS = ["photos", "leases"] as const;
/** How long ago a home was changed at most, in days. */
export const CHANGED_DAYS = [1, 7, 30] as const;

export interface HomesFilters {
  q: string | null;
  state: (typeof HOME_STATES)[number] | null;
  provider: string | null;
  feed: string | null;
  city: string | null;
  lacks: (typeof LACKS)[number] | null;
  /** Changed in so many days. */
  days: (typeof CHANGED_DAYS)[number] | null;
  /** The page behind this place of the list. */
  after: string | null;
}

export const NO_FILTERS: HomesFilters = {
  q: null,
  state: null,
  provider: null,
  feed: null,
  city: null,
  lacks: null,
  days: null,
  after: null,
};

/** Reads the filters; anything unreadable counts as absent. */
export function homesFilters(search: { [Name in keyof HomesFilters]?: unknown }): HomesFilters {
  return {
    q: wordsAsked(search.q),
    state: HOME_STATES.find((state) => state === search.state) ?? null,
    provider: wordsAsked(search.provider),
    feed: wordsAsked(search.feed),
    city: wordsAsked(search.city),
    lacks: LACKS.find((fact) => fact === search.lacks) ?? null,
    days: CHANGED_DAYS.find((days) => days === Number(search.days)) ?? null,
    after: wordsAsked(search.after),
  };
}

/** Parts of one home's page. */
export const HOME_PARTS = ["facts", "rooms", "stock", "photos", "history"] as const;
export type HomePart = (typeof HOME_PARTS)[number];

/** Reads which part is shown; the facts stand in no address. */
export function homePart(search: { part?: unknown }): { part: Exclude<HomePart, "facts"> | null } {
  const part = HOME_PARTS.find((known) => known === search.part);
  return { part: part === undefined || part === "facts" ? null : part };
}
