import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { BookFilters } from "./bookFilters.ts";

/** Balances of every account; with a beginning also what moved since. */
export const reportQuery = (from: string | null, to: string | null) =>
  queryOptions({
    queryKey: ["books", from, to],
    queryFn: ({ signal }) => get("/api/v0/workspace/books/accounts", { query: { from, to }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/** The entries of one account, oldest first. */
export const postingsQuery = ({ account, currency, from, to, p }: BookFilters) =>
  queryOptions({
    queryKey: ["books", account, currency, from, to, p],
    queryFn: ({ signal }) => {
      return get("/api/v0/workspace/books/accounts/{account}", {
        path: { account: account ?? "" },
        query: { currency, from, to, p, limit: 50 },
        signal,
      });
    },
    placeholderData: keepPreviousData,
  });

/** Rewards of referrals that are not settled. */
export const rewardsQuery = queryOptions({
  queryKey: ["books", "rewards"],
  queryFn: ({ signal }) => get("/api/v0/workspace/rewards", { signal }),
  refetchInterval: 30_000,
});

/** Notes a reward as paid; the same `intent` sent twice notes it once. */
export function payReward(referralId: string, intent: string): Promise<unknown> {
  return post("/api/v0/workspace/rewards/{id}/pay", { path: { id: referralId }, idempotencyKey: intent });
}
