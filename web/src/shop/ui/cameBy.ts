import type { LeadVariant } from "../../contract/wire.ts";

/** How somebody came decides which enquiry they are asked for: a partner's link, a friend's, or neither (Spec §2). */
export function enquiryVariant(query: string): LeadVariant {
  const asked = new URLSearchParams(query);
  if (asked.get("partner_id")) return "partner_enquire";
  return referralCode(query) === "" ? "enquire" : "referred_by_enquiry";
}

/** Ask begins with the question; who came by a partner's or a friend's link is asked for the enquiry that keeps whose link it was. */
export function askVariant(query: string): LeadVariant {
  const variant = enquiryVariant(query);
  return variant === "enquire" ? "ask_question_faq_cta" : variant;
}

/** The friend's code that the link carries; empty when it carries none. */
export function referralCode(query: string): string {
  const asked = new URLSearchParams(query);
  return asked.get("referral_code") ?? asked.get("referred_by") ?? "";
}
