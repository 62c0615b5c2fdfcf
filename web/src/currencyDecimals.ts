/**
 * Digits after the decimal sign of the currencies that have not two (`Currency::decimals` on the server). A browser's own table says how
 * people write amounts, by its version: forints and rupiahs have no digits there, and hundredths as minor units.
 */
export const OTHER_DECIMALS: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
};

/** Digits after the decimal sign of a currency, by its ISO code. */
export const decimalsOf = (currency: string): number => OTHER_DECIMALS[currency] ?? 2;
