import { deviceStorage } from "../../deviceStorage.ts";
import { emailFault, phoneFault } from "./contact.ts";
import type { Contact } from "./contactFields.tsx";

/** Where the enquiry keeps who it is from (Spec §3). */
const KEY = "lead_form_part_one";

/** The address and the phone that were typed on this device last, in an enquiry or a booking; empty where they are not whole. */
export function usedContact(): { email: string; phoneCode: string; number: string } {
  const saved = readSaved();
  const value = (name: string) => saved.get(`user_details/${name}`) ?? "";
  const [email, phoneCode, number] = [value("email"), value("phone_code"), value("phone")];
  const isWhole = phoneFault(phoneCode, number) === null;
  return { email: emailFault(email) === null ? email.trim() : "", phoneCode, number: isWhole ? number : "" };
}

/** Keeps the contact that a booking was begun with where an enquiry keeps its own. */
export function keepUsedContact({ name, email, phoneCode, number }: Contact): void {
  const saved = readSaved();
  const typed = { name: name.trim(), email: email.trim(), phone: number, phone_code: phoneCode };
  for (const [field, value] of Object.entries(typed)) saved.set(`user_details/${field}`, value);
  try {
    deviceStorage().setItem(KEY, JSON.stringify(Object.fromEntries(saved)));
  } catch {
    // A full storage keeps nothing more; the login then begins empty.
  }
}

function readSaved(): Map<string, string> {
  try {
    const stored: unknown = JSON.parse(deviceStorage().getItem(KEY) ?? "{}");
    const entries = Object.entries(typeof stored === "object" && stored !== null ? stored : {});
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}
