/** What people typed and this browser keeps: it goes with the login it belongs to. */

/** Whose drafts are kept: the account that was logged in last. */
export const DRAFTS_OF = "latchkey.drafts_of";

const PREFIXES = ["latchkey.form.", "latchkey.lead."];
const KEYS = ["lead_form_part_one", "lead_form_part_two", "latchkey.enquired"];

/** Takes everything that a person typed from this browser. */
export function clearDrafts(storage: Storage): void {
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
export function settleDrafts(storage: Storage, userId: string | null): void {
  try {
    const owner = storage.getItem(DRAFTS_OF);
    if (owner !== null && owner !== userId) clearDrafts(storage);
    if (userId !== null) storage.setItem(DRAFTS_OF, userId);
  } catch {
    // A storage that is off keeps nothing.
  }
}
