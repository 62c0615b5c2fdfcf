/** Money as finance reads it: every minor unit, never rounded, never without its currency. Whole numbers only. */
/** `1,036.27`, `−259.07`; currencies without minor units have no point. */
export function exact(minor: number, decimals: number): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${minor < 0 ? "−" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction}`;
}

/** The same with a plus before money that came in. */
export function signed(minor: number, decimals: number): string {
  return minor > 0 ? `+${exact(minor, decimals)}` : exact(minor, decimals);
}

/** Reads an amount somebody typed; `null` when it is not one, or finer than the currency. */
export function readAmount(typed: string, decimals: number): number | null {
  const match = /^(\d{1,12})(?:\.(\d+))?$/.exec(typed.trim().replaceAll(",", ""));
  if (match === null) return null;
  const [, whole = "", fraction = ""] = match;
  if (fraction.length > decimals) return null;
  const minor = Number(whole + fraction.padEnd(decimals, "0"));
  return Number.isSafeInteger(minor) && minor > 0 ? minor : null;
}

/** An amount without group marks, as one would type it. */
export function typedAmount(minor: number, decimals: number): string {
  return exact(minor, decimals).replaceAll(",", "");
}
