import { decimalsOf } from "../currencyDecimals.ts";
import type { MoneyLook } from "../i18n/format.ts";
import { type Counted, CURRENCY_SIGNS } from "../typedNumber.ts";

/** How amounts of a home are typed and shown. */
export function readCurrency(currency: string): Counted & MoneyLook {
  return { currency, decimals: decimalsOf(currency), symbol: CURRENCY_SIGNS[currency] ?? `${currency}\u00a0` };
}
