/** What a form asks and offers, in the reader's words: for the student's pages and support's. Needs the texts of `booking`. */
import type { Translate } from "../i18n/i18n.tsx";
import type { MessageKey } from "../i18n/keys.ts";

/** A question by its name on the wire. */
type Question = { key: string };

const LABELS: Record<string, MessageKey> = {
  title: "booking.field_title",
  full_name: "booking.field_full_name",
  dob: "booking.field_dob",
  gender: "booking.field_gender",
  phone: "booking.field_phone",
  email: "booking.field_email",
  alternate_email: "booking.field_alternate_email",
  nationality: "booking.field_nationality",
  address_line_1: "booking.field_address_line_1",
  address_line_2: "booking.field_address_line_2",
  city: "booking.field_city",
  state: "booking.field_state",
  postcode: "booking.field_postcode",
  country: "booking.field_country",
  university: "booking.field_university",
  course: "booking.field_course",
  enrolment_status: "booking.field_enrolment_status",
  medical_condition: "booking.field_medical_condition",
  relation: "booking.field_relation",
  same_as_emergency: "booking.field_same_as_emergency",
  identity_document: "booking.field_identity_document",
  identity_number: "booking.field_identity_number",
  enrolment_letter_reference: "booking.field_enrolment_letter_reference",
  identity_file: "booking.field_identity_file",
  enrolment_letter: "booking.field_enrolment_letter",
  documents_are_genuine: "booking.field_documents_are_genuine",
};

const HINTS: Record<string, MessageKey> = {
  full_name: "booking.hint_full_name",
  dob: "booking.hint_dob",
  gender: "booking.hint_gender",
  alternate_email: "booking.hint_alternate_email",
  medical_condition: "booking.hint_medical_condition",
};

const OPTIONS: Record<string, MessageKey> = {
  mr: "booking.option_mr",
  ms: "booking.option_ms",
  mx: "booking.option_mx",
  dr: "booking.option_dr",
  enrolled: "booking.option_enrolled",
  offer_accepted: "booking.option_offer_accepted",
  offer_received: "booking.option_offer_received",
  applied: "booking.option_applied",
  passport: "booking.option_passport",
  national_id: "booking.option_national_id",
};

/** `key_of_a_property` → "Key of a property": a property's own question without a text of ours. */
function spelledOut(key: string): string {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The question in the reader's language. */
export function labelOf(field: Question, t: Translate): string {
  const key = LABELS[field.key];
  return key ? t(key) : spelledOut(field.key);
}

/** What helps to answer it; null where there is nothing to say. */
export function hintOf(field: Question, t: Translate): string | null {
  const key = HINTS[field.key];
  return key ? t(key) : null;
}

/** A choice in the reader's language. */
export function optionOf(option: string, t: Translate): string {
  const key = OPTIONS[option];
  return key ? t(key) : spelledOut(option);
}

const order = Object.keys(LABELS);

/** Where a question stands among all; a property's own come after ours. */
export function placeOf(name: string): number {
  const at = order.indexOf(name);
  return at === -1 ? order.length : at;
}
