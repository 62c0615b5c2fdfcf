import { pageAsked, wordsAsked } from "../asked.ts";

/** Which part of the books is shown: all accounts, or the entries of one. */
export interface BookFilters {
  account: string | null;
  currency: string | null;
  from: string | null;
  to: string | null;
  p: number | null;
}

/** Reads the filters of an address, and leaves out what is none. */
export function bookFilters(search: { [name in keyof BookFilters]?: unknown }): BookFilters {
  return {
    account: wordsAsked(search.account),
    currency: wordsAsked(search.currency),
    from: wordsAsked(search.from),
    to: wordsAsked(search.to),
    p: pageAsked(search.p),
  };
}
