import { queryOptions } from "@tanstack/react-query";
import { get } from "../../api.ts";
import type { ImportRun } from "../../contract/wire.ts";
import { serverNow } from "../../serverClock.ts";
import type { ImportFilters } from "./importFilters.ts";

/** A page of runs, the newest first. */
export const importsQuery = (filters: ImportFilters) =>
  queryOptions({
    queryKey: ["imports", filters],
    queryFn: ({ signal }) => get("/api/v0/workspace/imports", { query: filters, signal, fresh: true }),
    refetchInterval: ({ state }) => (state.data?.runs.some(isUnderWay) ? 5_000 : false),
  });

/** A run without an end that began longer ago has broken off. */
const RUN_AT_MOST_MS = 3_600_000;

function isUnderWay({ outcome, begun_at }: ImportRun): boolean {
  return outcome === null && serverNow() - Date.parse(begun_at) < RUN_AT_MOST_MS;
}
