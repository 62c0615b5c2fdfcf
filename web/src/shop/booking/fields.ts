import withoutPostcodes from "../../contract/no-postcodes.json";
import type { CustomForm, SectionKey } from "../../contract/wire.ts";
import type { MessageKey } from "../../i18n/keys.ts";
import type { Section } from "./bookingContext.ts";
import type { Answers } from "./fieldMerge.ts";

/** One question of a form. */
export type FormField = CustomForm["sections"][number]["fields"][number];

/** A heading and the fields below it. */
export interface FieldGroup {
  title: MessageKey;
  fields: FormField[];
}

const PERSONAL: readonly { title: MessageKey; keys: readonly string[] }[] = [
  { title: "booking.group_about", keys: ["title", "full_name", "dob", "gender"] },
  { title: "booking.group_contact", keys: ["phone", "email", "alternate_email"] },
  {
    title: "booking.group_address",
    keys: ["country", "address_line_1", "address_line_2", "city", "postcode", "state", "nationality"],
  },
  { title: "booking.group_study", keys: ["university", "course", "enrolment_status", "medical_condition"] },
];

const OTHER_TITLES: Record<Exclude<SectionKey, "personal_form">, MessageKey> = {
  emergency_form: "booking.group_emergency",
  guarantor_form: "booking.group_guarantor",
  confirmation_documents: "booking.group_documents",
};

/** The section in groups a reader knows; fields a property has added come last. */
export function groupsOf(section: Section): FieldGroup[] {
  if (section.key !== "personal_form") return [{ title: OTHER_TITLES[section.key], fields: section.fields }];
  const known = PERSONAL.map(({ title, keys }) => ({
    title,
    fields: keys.flatMap((key) => section.fields.filter((field) => field.key === key)),
  }));
  const grouped = new Set(PERSONAL.flatMap(({ keys }) => keys));
  const more = section.fields.filter((field) => !grouped.has(field.key));
  return [...known, { title: "booking.group_more" as const, fields: more }].filter(({ fields }) => fields.length > 0);
}

const WITHOUT_POSTCODES: ReadonlySet<unknown> = new Set(withoutPostcodes);

/**
 * D89: a field may show only while another one has a value; a box nobody touched is not ticked. A postal code is asked for where the
 * chosen country has them.
 */
export function isAsked(field: FormField, answers: Answers): boolean {
  if (field.key === "postcode" && WITHOUT_POSTCODES.has(answers.country)) return false;
  if (!field.visible_if) return true;
  return String(answers[field.visible_if.field] ?? false) === field.visible_if.equals;
}

/** The whole line for what is long, half of it for the rest. */
export function isWide(field: FormField): boolean {
  return (
    field.type === "phone" ||
    field.type === "textarea" ||
    field.type === "checkbox" ||
    field.key === "university" ||
    field.key.startsWith("address_line")
  );
}

/** About how long a section takes, for the line above it. */
export function minutesOf(section: Section): number {
  return Math.max(1, Math.round(section.fields.length / 6));
}
