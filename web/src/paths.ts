import type { Period } from "./contract/wire.ts";

/** Every address of the product, spelled once. */

export type Query = Record<string, string | number | boolean | null | undefined>;

export const home = () => "/";
export const search = (region: string, query: Query = {}) =>
  `/places/search/${encodeURIComponent(region)}${asQuery(query)}`;
export const property = (canonicalName: string, query: Query = {}) =>
  `/places/${encodeURIComponent(canonicalName)}${asQuery(query)}`;
export const bookingForm = (canonicalName: string, query: Query = {}) =>
  `${property(canonicalName)}/form${asQuery(query)}`;
export const application = (id: string, query: Query = {}) => `${property(id)}/application${asQuery(query)}`;
export const payment = (id: string, query: Query = {}) => `${property(id)}/payment${asQuery(query)}`;
export const paymentToken = (token: string) => `/payments/${encodeURIComponent(token)}`;
/** On to the receipt under its number. */
export const paymentReceipt = (token: string) => `${paymentToken(token)}/receipt`;
export const receipt = (number: string, token: string | null = null) =>
  `/receipts/${encodeURIComponent(number)}${asQuery({ token })}`;
export const verify = () => "/verify";
export const profile = () => "/profile";
/** D20: the activity tabs live below the bookings. */
export const bookings = (tab?: "booked" | "enquired" | "shortlisted" | "recently_viewed") =>
  `/profile/leads${asQuery({ tab })}`;
export const support = () => "/profile/support";
export const supportCase = (id: string) => `/profile/support/${encodeURIComponent(id)}`;
export const shortlist = () => "/profile/shortlist";
/** D19: where a guarded page sends a visitor; the modal opens and leads on to `next`. */
export const loginThen = (next: string) => `/${asQuery({ login: "1", next })}`;

/** The visitor's choice of week or month, kept for the whole site. */
export const periodKey = "latchkey.period";
export const isPeriod = (value: unknown): value is Period => value === "weekly" || value === "monthly";

/** `?a=1&b=2` without the empty ones, or nothing. */
export function asQuery(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (pairs.length === 0) return "";
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join("&")}`;
}
