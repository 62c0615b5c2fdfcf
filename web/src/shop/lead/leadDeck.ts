import type { LeadVariant } from "../../contract/wire.ts";
import type { MessageKey } from "../../i18n/keys.ts";

/** Which cell of the copy deck an enquiry reads (D25): 12 variants × first or repeat × available or sold out. */
export interface DeckPlace {
  variant: LeadVariant;
  repeat: boolean;
  available: boolean;
  /** Not available because it takes no new bookings for a while, which is not sold out. */
  isPaused?: boolean;
}

/** The keys of one cell: its heading, its words above the form, its button and its answer afterwards. */
export interface DeckTexts {
  title: MessageKey;
  subtext: MessageKey;
  submit: MessageKey;
  success: MessageKey;
}

/** Spec §2 "Enquiry modal variants": the texts of every cell are in `i18n/<lang>/lead.json`. */
export function deckTexts({ variant, repeat, available, isPaused = false }: DeckPlace): DeckTexts {
  const cell = `${repeat ? "repeat" : "first"}_${available ? "available" : "sold_out"}` as const;
  const texts: DeckTexts = {
    title: `lead.deck_${variant}_title`,
    subtext: `lead.deck_${variant}_${cell}_subtext`,
    submit: `lead.deck_${variant}_submit`,
    success: `lead.deck_${variant}_${cell}_success`,
  };
  if (!isPaused || available) return texts;
  const subtext = variant === "join_waitlist" ? "lead.paused_waitlist_subtext" : "lead.paused_subtext";
  return { ...texts, subtext, success: "lead.paused_success" };
}

/** The heading of page 3, by what was sent. */
export function confirmationTitle(variant: LeadVariant, available: boolean): MessageKey {
  switch (variant) {
    case "book_now":
      return available ? "lead.booking_begun" : "lead.have_details";
    case "apply_now":
      return available ? "lead.application_begun" : "lead.have_details";
    case "get_help":
      return "lead.have_request";
    case "ask_question_faq_cta":
      return "lead.have_question";
    case "virtual_tour_enquiry":
      return available ? "lead.tour_next" : "lead.have_details";
    case "join_waitlist":
      return "lead.on_waitlist";
    case "edit_details":
      return "lead.have_details";
    case "enquire":
    case "referred_by_enquiry":
    case "partner_enquire":
    case "contact_us":
    case "generic_form":
      return "lead.have_enquiry";
  }
}
