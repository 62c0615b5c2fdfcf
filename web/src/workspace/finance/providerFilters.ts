import type { ProviderLine } from "../../contract/wire.ts";

type Verdict = ProviderLine["verdict"];

/** What a movement of the provider's account may be beside our books, the ones to look into first. */
export const VERDICTS = [
  "missing_here",
  "missing_there",
  "differing",
  "matched",
  "own",
] as const satisfies readonly Verdict[];

/** What of the provider's account is listed. */
export interface ProviderFilters {
  verdict: Verdict | null;
  payout: string | null;
  p: number | null;
}

/** Reads the filters of an address, and leaves out what is none. */
export function providerFilters(search: { [name in keyof ProviderFilters]?: unknown }): ProviderFilters {
  const page = Number(search.p);
  return {
    verdict: VERDICTS.find((word) => word === search.verdict) ?? null,
    payout: typeof search.payout === "string" && search.payout !== "" ? search.payout : null,
    p: Number.isInteger(page) && page > 1 ? page : null,
  };
}
