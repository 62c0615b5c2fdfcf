import type { Price, SearchPage } from "../../contract/wire.ts";
import type { MoneyLook } from "../../i18n/format.ts";
import { decimalsOf, symbolOf } from "../ui/currency.ts";

/** How the region's money looks: as its homes show it, or by its currency where no home is left. */
export function useMoneyLook(data: SearchPage): MoneyLook {
  const price: Price | undefined = data.search.result[0]?.price ?? data.search.pins?.[0]?.price;
  if (price && price.currency === data.region.currency) return price;
  return { symbol: symbolOf(data.region.currency), decimals: decimalsOf(data.region.currency) };
}
