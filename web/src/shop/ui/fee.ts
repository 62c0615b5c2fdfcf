/** D39: the processing fee is rounded once, half up, on the sum; 3.627 % as whole numbers. */
export function processingFee(subtotalMinor: number): number {
  return Math.floor((subtotalMinor * 103_627 + 50_000) / 100_000) - subtotalMinor;
}
