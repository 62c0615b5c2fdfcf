import type { MessageKey } from "../../i18n/keys.ts";
import { dialOf, internationalPhone, typedPhone } from "./dialCodes.ts";

/** What is wrong with a field, as the key of the sentence that says what to do about it. */
export type Fault = Extract<MessageKey, `ui.fault_${string}`>;

/** D65: a trimmed address of at most 254 characters with one `@` and a dotted domain, its local part not all digits. */
export function emailFault(text: string): Fault | null {
  const address = text
    .trim()
    .replace(/[＠﹫]/g, "@")
    .replace(/[。．｡]/g, ".");
  if (address === "") return "ui.fault_email_required";
  const parts = address.split("@");
  const [local = "", domain = ""] = parts;
  if (parts.length !== 2 || address.length > 254 || /\s/.test(address) || local === "") return "ui.fault_email_pattern";
  if (!/^[^.]+(\.[^.]+)*\.[^.\d][^.]+$/.test(domain)) return "ui.fault_email_pattern";
  if (/^\d+$/.test(local)) return "ui.fault_email_digits";
  return null;
}

/** A name has at least one letter of any script. */
export function nameFault(text: string): Fault | null {
  const name = text.trim();
  if (name === "") return "ui.fault_name_required";
  // A sign that names do not have is named by the server.
  if (name.length > 100 || !/\p{L}/u.test(name)) return "ui.fault_name_letters";
  return null;
}

/** A rough check that spares a round trip; whether the number exists in its country is the server's to say. */
export function phoneFault(phoneCode: string, number: string): Fault | null {
  const plain = typedPhone(number);
  if (plain === "") return "ui.fault_phone_required";
  if (!/^(\+|00)/.test(plain) && !/^\+\d{1,4}$/.test(dialOf(phoneCode))) return "ui.fault_phone_code";
  if (/[^\d\s()./+-]/.test(plain)) return "ui.fault_phone_number";
  const digits = internationalPhone(phoneCode, number).length - 1;
  return digits >= 7 && digits <= 15 ? null : "ui.fault_phone_number";
}
