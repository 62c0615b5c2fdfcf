/** Questions of the pages of feeds and runs, and the acts that they send. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get } from "../../api.ts";
import type { ImportRun } from "../../contract/wire.ts";
import { serverNow } from "../../serverClock.ts";
import type { FeedsFilters } from "./feedsFilters.ts";

/** Time between two questions about a run that is under way. */
const RUN_POLL_MS = 5_000;

/** A page of runs, the newest first. */
export const runsQuery = (filters: FeedsFilters) =>
  queryOptions({
    queryKey: ["imports", filters],
    queryFn: ({ signal }) => get("/api/v0/workspace/imports", { query: filters, signal, fresh: true }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(isUnderWay) ? RUN_POLL_MS : false),
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ["import", id],
    queryFn: ({ signal }) => get("/api/v0/workspace/imports/{id}", { path: { id }, signal, fresh: true }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? RUN_POLL_MS : false),
  });

/** A run without an end that began longer ago has broken off. */
const RUN_AT_MOST_MS = 3_600_000;

function isUnderWay({ outcome, begun_at }: ImportRun): boolean {
  return outcome === null && serverNow() - Date.parse(begun_at) < RUN_AT_MOST_MS;
}
