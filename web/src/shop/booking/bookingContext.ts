import type { BookingForm, CustomForm, FieldError, Lead, SectionKey } from "../../contract/wire.ts";
import type { LeadClash } from "../../ui/leadChange.ts";
import { type Answers, type Place, SECTIONS, type Side, type Unsaved, withSaved } from "./fieldMerge.ts";

/** One section as the form shows it. */
export type Section = CustomForm["sections"][number];

/** What the address, the visitor's history and the server know before anything is asked. */
export interface Opened {
  form: BookingForm | null;
  leadUuid: string | null;
  /** That lead as it is now, where it could be read. */
  lead: Lead | null;
  inventoryId: string | null;
  /** The deposit is paid: what is asked now are the sections after it (D92). */
  afterPayment: boolean;
  /** The enquiry has an account by now, and goes on with its login alone. */
  isClaimed?: boolean;
}

/** The lease that is booked, kept with the lead: the payment is made for it. */
export interface Wish {
  move_in_date: string;
  lease_duration: string;
}

/** What stands in the form before anything is typed into it. */
export interface Remembered {
  unsaved: Unsaved;
  seen: Unsaved;
  /** Name, e-mail and phone of the lead: shown where the form has nothing yet. */
  contact: Answers;
  /** What the same person answered in an earlier form: shown in sections that nothing was saved in yet. */
  earlier: Unsaved;
  lead: Lead | null;
}

/** Step 1: the room, and how to reach somebody we do not know yet. */
export interface Beginning {
  inventoryId: string;
  wish: Wish;
  contact: { name: string; email: string; phone: string; website: string } | null;
  /** One key per press, so that a second one is the same enquiry. */
  key: string;
}

/** The form that was begun, and its lead with the stay chosen here. */
export interface Started {
  form: BookingForm;
  lead: Lead;
}

export interface BookingContext extends Side {
  opened: Opened | null;
  leadUuid: string | null;
  /** The lead as this tab has seen it: a later stay is not written over (D82). */
  lead: Lead | null;
  stayClashes: readonly LeadClash[];
  index: number;
  beginning: Beginning | null;
  /** Where the form was left, on this device or another: the field is focused once. */
  resume: Place | null;
  /** Where the reader is now, and the same as the server has it. */
  place: Place | null;
  placeSaved: Place | null;
  /** The section that the server was asked to accept. */
  completing: SectionKey | null;
  contact: Answers;
  earlier: Unsaved;
  refusals: FieldError[];
  trouble: string | null;
  /** An account owns the enquiry since, and this page is not logged in to it: what is typed waits here. */
  isClaimed: boolean;
  /** Before this moment the server takes no save (429); milliseconds since 1970. */
  notBefore: number;
}

export interface Saving {
  formUuid: string;
  section: SectionKey;
  answers: Answers;
  /** What the screen showed before: the server tells what else it replaced (D79). */
  seen: Answers;
  complete: boolean;
  focused: string | null;
}

/** The form after a save, and what the save replaced unseen. */
export interface Saved {
  form: BookingForm;
  overwritten: Answers;
}

/** The sections that are asked now, in their order. */
export function askedSections(form: BookingForm | null, afterPayment: boolean): Section[] {
  return (form?.form.sections ?? []).filter((section) => !section.hidden && section.after_payment === afterPayment);
}

/** Where somebody who comes back goes on: the first section that is not complete. */
export function firstOpen(form: BookingForm | null, afterPayment: boolean): number {
  const sections = askedSections(form, afterPayment);
  const at = sections.findIndex((section) => !form?.completed_sections.includes(section.key));
  return at < 0 ? Math.max(0, sections.length - 1) : at;
}

/** Where the form was left, unless an earlier section is open by now. */
export function resumeAt(form: BookingForm | null, afterPayment: boolean): number {
  const open = firstOpen(form, afterPayment);
  const at = askedSections(form, afterPayment).findIndex((section) => section.key === form?.place?.section);
  return at < 0 ? open : Math.min(at, open);
}

export function refusalsOf(error: unknown): FieldError[] {
  return error instanceof Error && "fields" in error && Array.isArray(error.fields) ? error.fields : [];
}

export function firstUnsaved(unsaved: Unsaved): SectionKey | null {
  return SECTIONS.find((section) => unsaved[section] !== undefined) ?? null;
}

/** The request for the first section that waits to be saved; for where the reader is, when none does. */
export function savingOf({ form, unsaved, seen, place }: BookingContext): Saving {
  const section = firstUnsaved(unsaved) ?? place?.section ?? "personal_form";
  return {
    formUuid: form?.form_uuid ?? "",
    section,
    answers: unsaved[section] ?? {},
    seen: seen[section] ?? {},
    complete: false,
    focused: place?.section === section ? place.field : null,
  };
}

export function isPlaceSaved({ place, placeSaved }: BookingContext): boolean {
  return place === null || (place.section === placeSaved?.section && place.field === placeSaved.field);
}

/** Takes the answer to a save in. */
export function savedIn(context: BookingContext, { section, answers, focused }: Saving, saved: Saved) {
  return { ...withSaved(context, section, answers, saved), placeSaved: { section, field: focused } };
}

/** The request for a whole section: the server gets the answers that it has not. */
export function wholeOf(context: BookingContext): Saving {
  const section = context.completing ?? savingOf(context).section;
  const { unsaved, seen } = context;
  return {
    ...savingOf(context),
    section,
    answers: unsaved[section] ?? {},
    seen: seen[section] ?? {},
    complete: true,
    focused: null,
  };
}

/** The reader is in another section, and in none of its fields yet. */
export function placeAt(
  { form, opened }: BookingContext,
  index: number,
): Pick<BookingContext, "place" | "held" | "resume"> {
  const section = askedSections(form, opened?.afterPayment ?? false)[index];
  return { place: section ? { section: section.key, field: null } : null, held: null, resume: null };
}
