import type { DueLine, Price } from "../../contract/wire.ts";

/** Thousandths of a percent in a percentage as the server writes it: at most three digits after the point. */
function thousandths(percent: string): number {
  return Math.round(Number(percent) * 1_000);
}

/**
 * D39: the processing fee is rounded once, half up, on the sum; its rate as whole numbers. Currencies with three digits after the
 * point are charged in hundredths.
 */
export function processingFee(subtotalMinor: number, percent: string, decimals = 2): number {
  const step = decimals === 3 ? 10 : 1;
  const times = 100_000 + thousandths(percent);
  return Math.floor((subtotalMinor * times + 50_000 * step) / (100_000 * step)) * step - subtotalMinor;
}

/** The amounts of the first payment, with the deposit of the chosen lease, where it has one of its own, for that of the cheapest. */
export function dueOf(due: readonly DueLine[], deposit: Price | null): DueLine[] {
  return due.map((line) =>
    deposit && line.type === "deposit" ? { ...line, amount: deposit, is_default: false } : line,
  );
}
