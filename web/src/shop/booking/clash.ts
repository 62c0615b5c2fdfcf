import type { BookingForm, SectionKey } from "../../contract/wire.ts";
import type { Answers, Unsaved } from "./bookingMachine.ts";

/** A save that came too late: another tab or device was faster, and this is what it left (D79, D82). */
export class NewerForm extends Error {
  readonly form: BookingForm;

  constructor(form: BookingForm) {
    super("the form was changed meanwhile");
    this.name = "NewerForm";
    this.form = form;
  }
}

/** A field that two tabs answered differently. */
export interface Clash {
  section: SectionKey;
  field: string;
  here: string | boolean;
  there: string | boolean;
}

/** What is typed here beside what another tab saved, both grown from what this tab had seen. */
interface Sides {
  seen: Answers;
  here: Answers;
  there: Answers;
}

/** Takes over what only the other tab changed; names what both did. */
export function compareSection(
  section: SectionKey,
  { seen, here, there }: Sides,
): { answers: Answers; clashes: Clash[] } {
  const answers: Answers = { ...here };
  const clashes: Clash[] = [];
  for (const [field, theirs] of Object.entries(there)) {
    const ours = here[field] ?? "";
    const touched = ours !== (seen[field] ?? "");
    if (theirs === ours || theirs === (seen[field] ?? "")) continue;
    if (touched) clashes.push({ section, field, here: ours, there: theirs });
    else answers[field] = theirs;
  }
  return { answers, clashes };
}

const SECTIONS: readonly SectionKey[] = ["personal_form", "emergency_form", "guarantor_form", "confirmation_documents"];

/** The same for every section that waits to be saved. */
export function compareForms(
  seen: BookingForm | null,
  unsaved: Unsaved,
  newer: BookingForm,
): { unsaved: Unsaved; clashes: Clash[] } {
  const merged: Unsaved = {};
  const clashes: Clash[] = [];
  for (const section of SECTIONS) {
    const here = unsaved[section];
    if (!here) continue;
    const sides = { seen: seen?.sections[section] ?? {}, here, there: newer.sections[section] ?? {} };
    const compared = compareSection(section, sides);
    merged[section] = compared.answers;
    clashes.push(...compared.clashes);
  }
  return { unsaved: merged, clashes };
}

/** The unsaved answers with the other tab's word wherever the two differ. */
export function withTheirs(unsaved: Unsaved, clashes: readonly Clash[]): Unsaved {
  const settled: Unsaved = { ...unsaved };
  for (const { section, field, there } of clashes) settled[section] = { ...settled[section], [field]: there };
  return settled;
}
