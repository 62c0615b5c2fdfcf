import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { BookPostings, BookReport, OpenReward } from "../../contract/wire.ts";
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

/** Rewards of referrals that are not settled. */
export const rewardsQuery = queryOptions({
  queryKey: ["books", "rewards"],
  queryFn: ({ signal }) => get<OpenReward[]>("/api/v0/workspace/rewards", { signal }),
  refetchInterval: 30_000,
});

/** Notes a reward as paid; the same `intent` sent twice notes it once. */
export function payReward(referralId: string, intent: string): Promise<unknown> {
  const path = `/api/v0/workspace/rewards/${encodeURIComponent(referralId)}/pay`;
  return post<unknown>(path, undefined, { idempotencyKey: intent });
}
