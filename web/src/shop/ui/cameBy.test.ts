import { expect, test } from "vitest";
import { askVariant, enquiryVariant, referralCode } from "./cameBy.ts";

// A friend's link asks for the friend, a partner's for the counsellor, any other for neither.
test("friends' and partners' links ask for their own names", () => {
  expect(enquiryVariant("?referred_by=MEI42")).toBe("referred_by_enquiry");
  expect(enquiryVariant("?referral_code=MEI42")).toBe("referred_by_enquiry");
  expect(enquiryVariant("?partner_id=12&referred_by=MEI42")).toBe("partner_enquire");
  expect(enquiryVariant("?utm_source=mail")).toBe("enquire");
  expect(referralCode("?referred_by=MEI42")).toBe("MEI42");
});

test("Ask keeps whose link brought the student", () => {
  expect(askVariant("")).toBe("ask_question_faq_cta");
  expect(askVariant("?partner_id=12")).toBe("partner_enquire");
  expect(askVariant("?referral_code=MEI123")).toBe("referred_by_enquiry");
});
