import type { MessageKey } from "../../i18n/keys.ts";

/** What is typed into the card form. The number leaves the page only towards the gateway; nothing of it is stored. */
export interface CardDraft {
  number: string;
  expiry: string;
  code: string;
  holder: string;
  country: string;
}

type CardFault = Extract<MessageKey, `payment.fault_${string}`>;

/** `4242424242424242` → `4242 4242 4242 4242`, as it is typed. */
export function groupDigits(text: string): string {
  const digits = text.replace(/\D/g, "").slice(0, 19);
  return digits.replace(/(.{4})(?=.)/g, "$1 ");
}

/** `0829` → `08 / 29`, as it is typed; a deleted slash stays deleted. */
export function groupExpiry(text: string): string {
  const digits = text.replace(/\D/g, "").slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

/** What is wrong with a card form; the check digit is the gateway's to judge (X7 has a card for it). */
export function cardFaults(card: CardDraft, today: Date): Partial<Record<"number" | "expiry" | "code", CardFault>> {
  const digits = card.number.replace(/\D/g, "").length;
  const expiry = expiryFault(card.expiry, today);
  return {
    ...((digits < 12 || digits > 19) && { number: "payment.fault_number" as const }),
    ...(expiry && { expiry }),
    ...(!/^\d{3,4}$/.test(card.code.trim()) && { code: "payment.fault_code" as const }),
  };
}

function expiryFault(text: string, today: Date): CardFault | null {
  const [, month = "", year = ""] = /^(\d{2}) ?\/? ?(\d{2})$/.exec(text.trim()) ?? [];
  if (month === "" || Number(month) < 1 || Number(month) > 12) return "payment.fault_expiry";
  const now = today.getUTCFullYear() * 12 + today.getUTCMonth();
  return (2000 + Number(year)) * 12 + Number(month) - 1 < now ? "payment.fault_expired" : null;
}
