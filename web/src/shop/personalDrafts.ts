/** What people typed and this browser keeps: it goes with the login it belongs to. */

import { deviceStorage, type KeptTexts } from "../deviceStorage.ts";
import { session } from "./session.ts";

/** Whose drafts are kept: the account that was logged in last. */
export const DRAFTS_OF = "latchkey.drafts_of";

const PREFIXES = ["latchkey.form.", "latchkey.lead."];
const KEYS = ["lead_form_part_one", "lead_form_part_two", "latchkey.enquired"];

/** Takes everything that a person typed from this browser. */
export function clearDrafts(storage: KeptTexts): void {
  try {
    const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
    const drafts = names.filter((name) => KEYS.includes(name) || PREFIXES.some((prefix) => name.startsWith(prefix)));
    for (const name of [...drafts, DRAFTS_OF]) storage.removeItem(name);
  } catch {
    // A storage that is off keeps nothing.
  }
}

/**
 * Settles whose drafts these are. What was typed before a login goes along with it; what an account typed goes with its logout, and
 * no other account finds it.
 */
export function settleDrafts(storage: KeptTexts, userId: string | null): void {
  try {
    const owner = storage.getItem(DRAFTS_OF);
    if (owner !== null && owner !== userId) clearDrafts(storage);
    if (userId !== null) storage.setItem(DRAFTS_OF, userId);
  } catch {
    // A storage that is off keeps nothing.
  }
}

let follows = false;

/** Takes in who is here now; `ended`: after a logout or an erasure in this tab. */
export function follow(userId: string | null, ended: boolean): void {
  if (ended) clearDrafts(deviceStorage());
  settleDrafts(deviceStorage(), userId);
  if (follows) return;
  follows = true;
  window.addEventListener("storage", followOtherTabs);
}

/** Another tab logged out, or in as another account: this one begins anew, with nothing of the account that left. */
function followOtherTabs({ key, newValue }: StorageEvent): void {
  if (key !== DRAFTS_OF && key !== null) return;
  const now = session();
  if (now.state === "user" && newValue !== now.user.id) location.reload();
}
