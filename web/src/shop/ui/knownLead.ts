import { deviceStorage } from "../../deviceStorage.ts";

const keyOf = (propertyId: string) => `latchkey.lead.${propertyId}`;

/** The lead this device has sent for a property: who is not logged in resumes by it (decision 0026). */
export function rememberedLead(propertyId: string): string | null {
  try {
    return deviceStorage().getItem(keyOf(propertyId));
  } catch {
    return null;
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
