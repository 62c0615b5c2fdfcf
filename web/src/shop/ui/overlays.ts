import { useSyncExternalStore } from "react";
import type { HomeState, Lead, LeadVariant, Price } from "../../contract/wire.ts";

/** What an enquiry is about: a property, and the room and dates chosen on its page. */
export interface LeadInventory {
  /** The property. */
  id: string;
  name: string;
  canonical_name: string;
  available: boolean;
  /** Why it is not available, where its page says it. */
  state?: HomeState;
  bookable: boolean;
  flow: "book" | "apply";
  region: { id: string; name: string; canonical_name: string; country_key: string | null };
  image: { path: string; caption: string } | null;
  price: Price | null;
  /** The room chosen, when one was. */
  room_inventory_id: string | null;
  configuration: string | null;
  move_in_date: string | null;
  lease_duration: string | null;
  /** The room kinds to choose from on page 2, with their lowest prices. */
  rooms?: readonly { name: string; from: Price }[];
  /** Universities nearby, for page 2's suggestions. */
  universities?: readonly string[];
  /** What is due first when booking. */
  deposit?: Price | null;
  /** The time zone of the home's city (D63). */
  time_zone?: string | null;
}

/** The enquiry dialog. */
type LeadOverlay =
  | { kind: "lead"; inventory: LeadInventory | null; variant: LeadVariant; confirmed: Lead | null }
  | { kind: "lead"; inventory: LeadInventory | null; variant: "edit_details"; edited: Lead; onChanged: () => void };

/** What stands over the page. One at a time; the login alone stands over an enquiry, which keeps what was typed. */
export type Overlay =
  | { kind: "none" }
  | { kind: "login"; next: string | null; over: LeadOverlay | null }
  | LeadOverlay
  | { kind: "menu" }
  | { kind: "search" };

let overlay: Overlay = { kind: "none" };
const listeners = new Set<() => void>();
const closed: Overlay = { kind: "none" };

export function useOverlay(): Overlay {
  return useSyncExternalStore(
    subscribe,
    () => overlay,
    () => closed,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(next: Overlay): void {
  overlay = next;
  for (const listener of listeners) listener();
}

/** Opens the login dialog; after success the reader goes to `next` (same-origin path) or stays. */
export function openLogin(next: string | null = null): void {
  show({ kind: "login", next, over: overlay.kind === "lead" ? overlay : null });
}

/** Opens the enquiry dialog; without an inventory it asks for the place, with a lead it opens on the confirmation (D23). */
export function openLead(inventory: LeadInventory | null, variant: LeadVariant, confirmed: Lead | null = null): void {
  show({ kind: "lead", inventory, variant, confirmed });
}

/** Opens the enquiry dialog on a lead that was sent before, to change its details. */
export function openLeadEdit(inventory: LeadInventory | null, edited: Lead, onChanged: () => void): void {
  show({ kind: "lead", inventory, variant: "edit_details", edited, onChanged });
}

export function openMenu(): void {
  show({ kind: "menu" });
}

export function openSearch(): void {
  show({ kind: "search" });
}

/** Opens once more what could not open. */
export const openAgain = (failed: Overlay): void => show(failed);

export function closeOverlay(): void {
  show((overlay.kind === "login" && overlay.over) || { kind: "none" });
}
