/** The report's part of the address. */
import { wordsAsked } from "../asked.ts";

export type ReportFilters = {
  from: string | null;
  to: string | null;
  /** `source`; weeks when absent. */
  by: string | null;
};

/** Reads the period; what is no day, the server refuses with its name. */
export function reportFilters(search: Partial<Record<keyof ReportFilters, unknown>>): ReportFilters {
  return { from: wordsAsked(search.from), to: wordsAsked(search.to), by: wordsAsked(search.by) };
}
