/** The conversations' part of the address. */
import { pageAsked, wordsAsked } from "../asked.ts";
import type { CasesQuery } from "./caseCalls.ts";

/** Views of the queue; the first is shown where none is named. */
export const VIEWS = ["waits_for_staff", "mine", "my_team", "mentions", "late", "waits_for_person", "closed"] as const;

export type CaseView = (typeof VIEWS)[number];

export type CaseFilters = {
  view: CaseView | null;
  /** Page, absent on the first. */
  p: number | null;
};

/** Reads the filters; anything unreadable counts as absent. */
export function caseFilters(search: Partial<Record<keyof CaseFilters, unknown>>): CaseFilters {
  const asked = wordsAsked(search.view);
  return { view: VIEWS.find((view) => view === asked) ?? null, p: pageAsked(search.p) };
}

/** What a view asks the server for. */
export function caseQuery({ view, p }: CaseFilters): CasesQuery {
  switch (view) {
    case "mine":
      return { status: "waits_for_staff", owner: "me", p };
    case "my_team":
      return { status: "waits_for_staff", team: "mine", p };
    case "mentions":
      return { mentions: "me", p };
    case "late":
      return { late: true, p };
    default:
      return { status: view ?? "waits_for_staff", p };
  }
}
