import { deviceStorage } from "../../deviceStorage.ts";

const LEADS_MAX = 50;
const PREFIX = "latchkey.lead.";

const keyOf = (propertyId: string) => `${PREFIX}${propertyId}`;

/** The lead this device has sent for a property: who is not logged in resumes by it (decision 0026). */
export function rememberedLead(propertyId: string): string | null {
  try {
    return deviceStorage().getItem(keyOf(propertyId));
  } catch {
    return null;
  }
}

/** Every lead that this device has sent, at most as many as one request may name. */
export function rememberedLeads(): string[] {
  try {
    const storage = deviceStorage();
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at));
    const leads = keys.flatMap((key) => (key?.startsWith(PREFIX) ? (storage.getItem(key) ?? []) : []));
    return leads.slice(0, LEADS_MAX);
  } catch {
    return [];
  }
}

export function rememberLead(propertyId: string, leadUuid: string): void {
  // A lead that has an owner names no link.
  if (leadUuid === "") return;
  try {
    deviceStorage().setItem(keyOf(propertyId), leadUuid);
  } catch {
    // A browser without storage resumes by the link alone.
  }
}
