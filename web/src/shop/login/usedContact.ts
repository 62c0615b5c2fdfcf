import { deviceStorage } from "../../deviceStorage.ts";
import { readSaved, writeSaved } from "../lead/savedForm.ts";
import { emailFault, phoneFault } from "../ui/contact.ts";
import type { Contact } from "../ui/contactFields.tsx";

/** The address and the phone that were typed on this device last, in an enquiry or a booking; empty where they are not whole. */
export function usedContact(): { email: string; phoneCode: string; number: string } {
  const saved = readSaved(deviceStorage());
  const email = saved["user_details/email"] ?? "";
  const phoneCode = saved["user_details/phone_code"] ?? "";
  const number = saved["user_details/phone"] ?? "";
  const isWhole = phoneFault(phoneCode, number) === null;
  return { email: emailFault(email) === null ? email.trim() : "", phoneCode, number: isWhole ? number : "" };
}

/** Keeps the contact that a booking was begun with where an enquiry keeps its own. */
export function keepUsedContact({ name, email, phoneCode, number }: Contact): void {
  writeSaved(deviceStorage(), {
    "user_details/name": name.trim(),
    "user_details/email": email.trim(),
    "user_details/phone": number,
    "user_details/phone_code": phoneCode,
  });
}
