import { queryOptions } from "@tanstack/react-query";
import { get } from "../../api.ts";
import type { ImportFilters } from "./importFilters.ts";

/** A page of runs, the newest first. */
export const importsQuery = (filters: ImportFilters) =>
  queryOptions({
    queryKey: ["imports", filters],
    queryFn: ({ signal }) => get("/api/v0/workspace/imports", { query: filters, signal, fresh: true }),
  });
