/** Sentences for answers that are missing, each with the name of its field. They come once the form is entered, with their texts. */
import type { Lang, SectionKey } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import type { Translate } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { labelOf } from "../../ui/formWords.ts";
import type { AnswerFault } from "./checkAnswers.ts";
import type { FormField } from "./fields.ts";

/** The reader's own details. */
const OWN: Record<string, MessageKey> = {
  title: "missing_answers.title",
  full_name: "missing_answers.full_name",
  dob: "missing_answers.dob",
  gender: "missing_answers.gender",
  phone: "missing_answers.phone",
  email: "missing_answers.email",
  alternate_email: "missing_answers.alternate_email",
  nationality: "missing_answers.nationality",
  address_line_1: "missing_answers.address_line_1",
  address_line_2: "missing_answers.address_line_2",
  city: "missing_answers.city",
  state: "missing_answers.state",
  postcode: "missing_answers.postcode",
  country: "missing_answers.country",
  university: "missing_answers.university",
  course: "missing_answers.course",
  enrolment_status: "missing_answers.enrolment_status",
  medical_condition: "missing_answers.medical_condition",
  relation: "missing_answers.relation",
  identity_document: "missing_answers.identity_document",
  identity_number: "missing_answers.identity_number",
  enrolment_letter_reference: "missing_answers.enrolment_letter_reference",
  identity_file: "missing_answers.identity_file",
  enrolment_letter: "missing_answers.enrolment_letter",
  documents_are_genuine: "missing_answers.documents_are_genuine",
};

/** Another person's. */
const THEIRS: Record<string, MessageKey> = {
  full_name: "missing_answers.their_full_name",
  phone: "missing_answers.their_phone",
  email: "missing_answers.their_email",
  relation: "missing_answers.relation",
};

/** The sentences of a section by its key; a property's own question is named as the form names it. */
const SENTENCES: Record<SectionKey, Record<string, MessageKey>> = {
  personal_form: OWN,
  confirmation_documents: OWN,
  emergency_form: THEIRS,
  guarantor_form: THEIRS,
};

const GENERAL: Partial<Record<AnswerFault, MessageKey>> = {
  "booking.fault_required": "missing_answers.any",
  "booking.fault_choice": "missing_answers.any_choice",
};

/** The sentence for a missing answer; null for every other fault, and for a box of the property's own, whose label is beside it. */
export function sayMissing(t: Translate, section: SectionKey, field: FormField, fault: AnswerFault): string | null {
  const general = GENERAL[fault];
  if (general === undefined && fault !== "booking.fault_accept") return null;
  const own = SENTENCES[section][field.key];
  if (own !== undefined) return t(own);
  return general === undefined ? null : t(general, { field: labelOf(field, t) });
}

/** Loads the texts of `sayMissing`. */
export async function loadMissing(lang: Lang): Promise<typeof sayMissing> {
  await loadAreas(lang, ["missing_answers"]);
  return sayMissing;
}
