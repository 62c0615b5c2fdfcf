/** The report's part of the address. */
import type { ReportGrouping } from "../../contract/wire.ts";
import { wordsAsked } from "../asked.ts";

export type ReportFilters = {
  from: string | null;
  to: string | null;
  /** `source`; weeks when absent. */
  by: ReportGrouping | null;
};

/** Reads the period; what is no day, the server refuses with its name. */
export function reportFilters(search: Partial<Record<keyof ReportFilters, unknown>>): ReportFilters {
  return { from: wordsAsked(search.from), to: wordsAsked(search.to), by: search.by === "source" ? "source" : null };
}
