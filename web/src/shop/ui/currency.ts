const symbols: Record<string, string> = {
  USD: "$",
  GBP: "£",
  EUR: "€",
  CAD: "CA$",
  INR: "₹",
  AUD: "AU$",
  SGD: "S$",
  NZD: "NZ$",
  KRW: "₩",
  DKK: "kr",
  JPY: "¥",
};

/** The symbol of a currency as prices have it (`Currency::symbol` on the server), its code where it has none. */
export const symbolOf = (currency: string): string => symbols[currency] ?? currency;

/** Digits after the decimal mark. */
export const decimalsOf = (currency: string): number =>
  /BIF|CLP|DJF|GNF|ISK|JPY|^K[MR]|PYG|RWF|UGX|V[NU]|X[AOP]F/.test(currency)
    ? 0
    : /BHD|[IJ][OQ]D|KWD|LYD|OMR|TND/.test(currency)
      ? 3
      : 2;

/** A symbol that says whose dollar it is, for papers that are read abroad. */
export const plainSymbolOf = (currency: string): string => (currency === "USD" ? "US$" : symbolOf(currency));
