/**
 * D39: the processing fee is rounded once, half up, on the sum; 3.627 % as whole numbers. Currencies with three digits after the
 * point are charged in hundredths.
 */
export function processingFee(subtotalMinor: number, decimals = 2): number {
  const step = decimals === 3 ? 10 : 1;
  return Math.floor((subtotalMinor * 103_627 + 50_000 * step) / (100_000 * step)) * step - subtotalMinor;
}
