/** The leads list's part of the address. */
import type { LeadAttention, LeadStage } from "../../contract/wire.ts";
import { pageAsked, wordsAsked } from "../asked.ts";
import { type FilterName, REASONS, STAGES } from "./leadFilterNames.ts";

export type LeadFilters = Record<Exclude<FilterName, "attention" | "stage">, string | null> & {
  attention: LeadAttention | null;
  stage: LeadStage | null;
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
    attention: REASONS.find((reason) => reason === search.attention) ?? null,
    stage: STAGES.find((stage) => stage === search.stage) ?? null,
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
