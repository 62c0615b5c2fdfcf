import { expect, test } from "vitest";
import en from "../../../../i18n/en/lead.json";
import zh from "../../../../i18n/zh/lead.json";
import type { LeadVariant } from "../../contract/wire.ts";
import { confirmationTitle, deckTexts } from "./leadDeck.ts";

const variants: Record<LeadVariant, string> = {
  get_help: "Get Help",
  ask_question_faq_cta: "Ask Question",
  enquire: "Enquire Now",
  virtual_tour_enquiry: "Live Virtual tour request",
  referred_by_enquiry: "Enquire Now",
  partner_enquire: "Enquire Now",
  book_now: "Book Now",
  apply_now: "Apply Now",
  contact_us: "Seeking Different Dates",
  join_waitlist: "Join Waitlist",
  edit_details: "Edit Details",
  generic_form: "Want Accommodation of your choice?",
};

const cells = [true, false].flatMap((repeat) => [true, false].map((available) => ({ repeat, available })));
const english = new Map(Object.entries(en));
const chinese = new Map(Object.entries(zh));

// Every variant has its title of the specification, and a text in every cell, in both languages.
test("every variant has its title and all texts in both languages", () => {
  for (const variant of Object.keys(variants).filter((name): name is LeadVariant => name in variants)) {
    for (const cell of cells) {
      const keys = deckTexts({ variant, ...cell });
      expect(english.get(keys.title)).toBe(variants[variant]);
      for (const key of Object.values(keys)) {
        expect(english.get(key), key).toBeTruthy();
        expect(chinese.get(key), key).toBeTruthy();
      }
    }
  }
});

// A sold-out home says so in the specification's words, also to those who asked before.
test("a sold-out home says so, also to repeat askers", () => {
  const sentence = "This property is sold out. We have your details and will contact you soon. Keep browsing!";
  for (const repeat of [true, false]) {
    const { success } = deckTexts({ variant: "enquire", repeat, available: false });
    expect(english.get(success)).toContain(sentence);
  }
});

test("a paused home is not called sold out", () => {
  for (const variant of ["join_waitlist", "enquire", "ask_question_faq_cta"] as const) {
    const { subtext, success } = deckTexts({ variant, repeat: false, available: false, isPaused: true });
    expect(english.get(subtext) ?? "sold out").not.toContain("sold out");
    expect(english.get(success) ?? "sold out").not.toContain("sold out");
  }
});

test("only an enquiry is confirmed as one", () => {
  const said = (variant: LeadVariant, available = true) => english.get(confirmationTitle(variant, available));
  for (const variant of ["book_now", "apply_now", "get_help", "ask_question_faq_cta", "join_waitlist"] as const) {
    expect(said(variant)).not.toContain("enquiry");
    expect(said(variant, false)).not.toContain("enquiry");
  }
  expect(said("book_now")).toBe(english.get("lead.booking_begun"));
  expect(said("virtual_tour_enquiry", false)).not.toContain("Choose a time");
});

test("a repeat is told that it is one", () => {
  const { success } = deckTexts({ variant: "enquire", repeat: true, available: true });
  expect(english.get(success)).toContain("before");
});
