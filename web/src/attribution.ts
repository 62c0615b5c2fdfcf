import type { SourceDetails } from "./contract/wire.ts";
import { deviceStorage, type KeptTexts } from "./deviceStorage.ts";

/** Spec §3 tracked params, kept from the first page on. */
const TRACKED = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_content",
  "utm_term",
  "utm_group",
  "gclid",
  "fbclid",
  "msclkid",
  "keyword",
  "wbraid",
  "gbraid",
  "referral_code",
] as const;

/** D134: these never leave the browser with an address. */
const SECRETS =
  /^(token|user_auth_token|user_flow_token|otp|code|password|email|phone(\[.*])?|fullName(\[.*])?|name|key|session|lead_uuid|secret|payment_intent_client_secret)$/i;

/** Spec §5: referrers are cut at 300 characters; we count code points (D134). */
const REFERRER_LIMIT = 300;

const STORED = "latchkey.source";

/** What one visit to one page tells about where it came from. */
export interface Visit {
  url: string;
  referrer: string;
}

/** An address without secrets and fragment, cut. */
function cleaned(address: string): string {
  try {
    const url = new URL(address);
    for (const name of [...url.searchParams.keys()]) if (SECRETS.test(name)) url.searchParams.delete(name);
    return [...`${url.origin}${url.pathname}${url.search}`].slice(0, REFERRER_LIMIT).join("");
  } catch {
    return "";
  }
}

function hostOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return "";
  }
}

/** Adds a visit to what is known: `initial_…` stays frozen at the first, the others follow the last (D135). */
export function afterVisit(known: SourceDetails, visit: Visit): SourceDetails {
  const next: SourceDetails = { ...known, final_url: cleaned(visit.url) };
  const ownHost = hostOf(visit.url);
  const from = hostOf(visit.referrer);
  // Our own pages are not where a visitor came from.
  if (from !== "" && from !== ownHost) {
    next.referrer = cleaned(visit.referrer);
    next.referring_domain = from;
    next.initial_referrer ??= next.referrer;
    next.initial_referring_domain ??= from;
  }
  const query = new URL(visit.url).searchParams;
  for (const name of TRACKED) {
    const value = query.get(name);
    if (value) next[name] = [...value].slice(0, REFERRER_LIMIT).join("");
  }
  return next;
}

function known(storage: KeptTexts): SourceDetails {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORED) ?? "{}");
    return typeof stored === "object" && stored !== null ? Object.fromEntries(textsOf(stored)) : {};
  } catch {
    storage.removeItem(STORED);
    return {};
  }
}

function textsOf(stored: object): [string, string][] {
  return Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

/** Called on every page: remembers where this visitor came from. A full or forbidden storage costs only the memory. */
export function rememberVisit(visit: Visit): void {
  try {
    deviceStorage().setItem(STORED, JSON.stringify(afterVisit(known(deviceStorage()), visit)));
  } catch {
    // Private windows forbid storage: the lead then carries what its own page knows.
  }
}

/** What a lead sends as `source_details` (Spec §3). */
export function sourceDetails(visit: Visit): SourceDetails {
  try {
    return afterVisit(known(deviceStorage()), visit);
  } catch {
    return afterVisit({}, visit);
  }
}
