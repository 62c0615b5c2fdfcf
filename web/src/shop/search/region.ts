import type { Price, SearchPage } from "../../contract/wire.ts";
import type { MoneyLook } from "../../i18n/format.ts";

const symbols: Record<string, string> = {
  USD: "$",
  GBP: "£",
  EUR: "€",
  CAD: "CA$",
  INR: "₹",
  AUD: "AU$",
  AED: "AED ",
  SGD: "S$",
  NZD: "NZ$",
  KRW: "₩",
  DKK: "kr ",
};

/** How the region's money looks: as its homes show it, or by its currency where no home is left. */
export function useMoneyLook(data: SearchPage): MoneyLook {
  const price: Price | undefined = data.search.result[0]?.price ?? data.search.pins?.[0]?.price;
  if (price && price.currency === data.region.currency) return price;
  return { symbol: symbols[data.region.currency] ?? "£", decimals: data.region.currency === "KRW" ? 0 : 2 };
}
