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
