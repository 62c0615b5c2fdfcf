import type { LeadVariant } from "../../contract/wire.ts";
import type { KeptTexts } from "../../deviceStorage.ts";

const STORED = "latchkey.enquired";
const KEPT = 50;

/** `home wish`, the newest first: what this device has sent, so that a second form greets a repeat before the server says so. */
function enquired(storage: KeptTexts): string[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === "string") : [];
  } catch {
    storage.removeItem(STORED);
    return [];
  }
}

/** Whether this device has asked for the same about the home; an enquiry's words tell of any that was sent before. */
export function isKnownRepeat(storage: KeptTexts, inventoryId: string, variant: LeadVariant): boolean {
  const wishes = enquired(storage).flatMap((line) => {
    const [home, wish] = line.split(" ");
    return home === inventoryId ? [wish] : [];
  });
  switch (variant) {
    case "enquire":
    case "referred_by_enquiry":
    case "partner_enquire":
    case "edit_details":
    case "generic_form":
      return wishes.length > 0;
    case "book_now":
    case "apply_now":
      return wishes.includes("book_now") || wishes.includes("apply_now");
    case "get_help":
    case "ask_question_faq_cta":
    case "virtual_tour_enquiry":
    case "contact_us":
    case "join_waitlist":
      return wishes.includes(variant);
  }
}

/** Called when a lead has been accepted, or a tour was asked for on it. */
export function rememberEnquiry(storage: KeptTexts, inventoryId: string, variant: LeadVariant): void {
  const line = `${inventoryId} ${variant}`;
  const others = enquired(storage).filter((known) => known !== line);
  try {
    storage.setItem(STORED, JSON.stringify([line, ...others].slice(0, KEPT)));
  } catch {
    // A full storage forgets; the server's answer still says what is repeated.
  }
}
