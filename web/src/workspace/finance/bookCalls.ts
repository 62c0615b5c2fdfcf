import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get } from "../../api.ts";
import type { BookPostings, BookReport } from "../../contract/wire.ts";
import { asQuery } from "../../paths.ts";
import type { BookFilters } from "./bookFilters.ts";

const BASE = "/api/v0/workspace/books";

/** Balances of every account; with a beginning also what moved since. */
export const reportQuery = (from: string | null, to: string | null) =>
  queryOptions({
    queryKey: ["books", from, to],
    queryFn: ({ signal }) => get<BookReport>(`${BASE}/accounts${asQuery({ from, to })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/** The entries of one account, oldest first. */
export const postingsQuery = ({ account, currency, from, to, p }: BookFilters) =>
  queryOptions({
    queryKey: ["books", account, currency, from, to, p],
    queryFn: ({ signal }) => {
      const query = asQuery({ currency, from, to, p, limit: 50 });
      return get<BookPostings>(`${BASE}/accounts/${encodeURIComponent(account ?? "")}${query}`, { signal });
    },
    placeholderData: keepPreviousData,
  });
