import type { KeptTexts } from "../../deviceStorage.ts";

const STORED = "latchkey.enquired";
const KEPT = 50;

/** Inventories this device has enquired about, so that a second form greets a repeat before the server has said so. */
function enquired(storage: KeptTexts): string[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === "string") : [];
  } catch {
    storage.removeItem(STORED);
    return [];
  }
}

export function isKnownRepeat(storage: KeptTexts, inventoryId: string): boolean {
  return enquired(storage).includes(inventoryId);
}

/** Called when a lead has been accepted. */
export function rememberEnquiry(storage: KeptTexts, inventoryId: string): void {
  const others = enquired(storage).filter((id) => id !== inventoryId);
  try {
    storage.setItem(STORED, JSON.stringify([inventoryId, ...others].slice(0, KEPT)));
  } catch {
    // A full storage forgets; the server's answer still says `repeat`.
  }
}
