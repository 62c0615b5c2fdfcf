import { isTabKept, tabStorage } from "../deviceStorage.ts";

/** The address that was loaded whole because a file of its page was gone. */
const RELOADED = "latchkey.reloaded";

/**
 * Loads an address whole, once: after a deploy the new document names the files in the place of the old ones. Answers false where that
 * was done already, or where the tab keeps nothing, or no more, and would be loaded again and again.
 */
export function reloadOnce(url: string): boolean {
  if (!isTabKept() || tabStorage().getItem(RELOADED) === url) return false;
  try {
    tabStorage().setItem(RELOADED, url);
  } catch {
    return false;
  }
  location.assign(url);
  return true;
}

/** The page has come: another deploy may have it loaded whole again. */
export const forgetReload = (): void => tabStorage().removeItem(RELOADED);
