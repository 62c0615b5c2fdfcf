import type { Lang, LeadForm } from "../../contract/wire.ts";
import type { Translate } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { countryName } from "../../ui/countryName.ts";
import { labelOf, optionOf, placeOf } from "../../ui/formWords.ts";
import { plainDay } from "../clock.ts";

type Answered = LeadForm["sections"][number]["fields"][number];

/** Questions whose words on the form speak to the student. */
const aboutTheStudent: Record<string, MessageKey> = {
  relation: "lead_form.field_relation",
  same_as_emergency: "lead_form.field_same_as_emergency",
  identity_file: "lead_form.field_identity_file",
  enrolment_letter: "lead_form.field_enrolment_letter",
  medical_condition: "lead_form.field_medical_condition",
  documents_are_genuine: "lead_form.field_documents_are_genuine",
};

const countries = new Set(["country", "nationality"]);
const choices = new Set(["title", "enrolment_status", "identity_document"]);

/** The question as support reads it. Needs the texts of `lead_form` and `booking`. */
export function questionText({ name }: Answered, t: Translate): string {
  const key = aboutTheStudent[name];
  return key ? t(key) : labelOf({ key: name }, t);
}

/** The answer as support reads it: ticked boxes, days, countries and choices in words, a document by its name, typed text as it is. */
export function answerText({ name, answer }: Answered, form: LeadForm, t: Translate, lang: Lang): string {
  if (answer === "true") return t("lead_form.yes");
  if (answer === "false") return t("lead_form.no");
  if (/^\d{4}-\d\d-\d\d$/.test(answer)) return plainDay(answer, lang);
  if (countries.has(name) && /^[A-Z]{2}$/.test(answer)) return countryName(answer, lang);
  // A choice of the property's own has no text of ours: it is spelled out, as on the form.
  if (choices.has(name) || /^[a-z]+(_[a-z]+)+$/.test(answer)) return optionOf(answer, t);
  const sent = form.documents.find(({ id }) => id === answer);
  return sent ? sent.name || t("lead_form.unnamed") : answer;
}

/** Answers as the form asks for them; what it no longer asks comes last. */
export function inOrder(fields: readonly Answered[]): Answered[] {
  return fields.toSorted((a, b) => Number(a.former) - Number(b.former) || placeOf(a.name) - placeOf(b.name));
}
