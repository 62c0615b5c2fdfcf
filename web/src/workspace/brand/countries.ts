import type { CountryKey } from "../../contract/wire.ts";

/** Countries with a name of their own in the catalogue, by ISO 3166; every other key is its code. */
const NAMED: Partial<Record<CountryKey, string>> = {
  uk: "GB",
  canada: "CA",
  spain: "ES",
  ireland: "IE",
  australia: "AU",
  germany: "DE",
  france: "FR",
  singapore: "SG",
  uae: "AE",
  india: "IN",
  new_zealand: "NZ",
  korea: "KR",
  denmark: "DK",
};

export const countryCode = (key: CountryKey): string => NAMED[key] ?? key.toUpperCase();

/** Countries that students come from and go to most. */
const OFTEN = [
  ...(["uk", "us", "canada", "ireland", "australia", "new_zealand", "spain", "germany", "france", "denmark"] as const),
  ...(["singapore", "uae", "india", "korea", "cn", "hk", "mo", "tw", "jp", "my", "th", "vn", "id", "ph"] as const),
  ...(["pk", "bd", "lk", "np", "ng", "gh", "ke", "za", "eg", "sa", "qa", "kw", "tr", "br", "mx", "co"] as const),
  ...(["it", "pt", "nl", "be", "ch", "at", "se", "no", "fi", "pl", "gr", "cz", "ro"] as const),
] satisfies readonly CountryKey[];

/** Countries to choose from, with those that are chosen already. */
export function listCountries(chosen: readonly (CountryKey | null | undefined)[]): CountryKey[] {
  return [...new Set([...OFTEN, ...chosen.filter((key) => key !== null && key !== undefined)])];
}
