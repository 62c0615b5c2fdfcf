import type { BookingForm, SectionKey } from "../../contract/wire.ts";

/** One answer: a box is ticked or not, all else is text. */
export type Answer = string | boolean;
/** The answers of one section by field. */
export type Answers = Record<string, Answer>;
/** Answers that the server has not confirmed yet: only the fields that were typed here. */
export type Unsaved = Partial<Record<SectionKey, Answers>>;

/** Where the form goes on, on whichever device: the section, and the field that had the focus. */
export interface Place {
  section: SectionKey;
  field: string | null;
}

/** A field that two devices answered differently: the last word holds, and the reader is told of the other one (D79). */
export interface Told {
  section: SectionKey;
  field: string;
  here: Answer;
  there: Answer;
  /** Whose word holds. */
  kept: "here" | "there";
}

/** What this device knows of the form beside the server's copy. */
export interface Side {
  form: BookingForm | null;
  unsaved: Unsaved;
  /** What the screen showed before a field of `unsaved` was typed. */
  seen: Unsaved;
  /** Every word that was sent from here, by `section/field`: not news when it comes back. */
  said: Readonly<Record<string, readonly Answer[]>>;
  /** The field that has the focus with what it shows: no other device changes it under the hands. */
  held: (Place & { value: Answer | undefined }) | null;
  told: readonly Told[];
}

/** Nothing typed, an empty text and a box that is not ticked are the same answer. */
const isSame = (one: Answer | undefined, other: Answer | undefined) => (one || "") === (other || "");
const nameOf = (section: SectionKey, field: string) => `${section}/${field}`;

/** The answers of a section as they are shown. */
export function shownAnswers({ form, unsaved, held }: Side, section: SectionKey): Answers {
  const stored: Answers = { ...form?.sections[section] };
  if (held?.section === section && held.field !== null) {
    if (held.value === undefined) delete stored[held.field];
    else stored[held.field] = held.value;
  }
  return { ...stored, ...unsaved[section] };
}

/** Takes over what was typed: a field that is as it was shown is not written. */
export function withTyped(side: Side, section: SectionKey, answers: Answers): Pick<Side, "unsaved" | "seen"> {
  const shown = shownAnswers(side, section);
  const waiting = side.unsaved[section] ?? {};
  const typed = Object.entries(answers).filter(([field, answer]) => field in waiting || !isSame(shown[field], answer));
  if (typed.length === 0) return { unsaved: side.unsaved, seen: side.seen };
  const fresh = typed.flatMap(([field]) => {
    const before = shown[field];
    return field in waiting || before === undefined ? [] : [[field, before] as const];
  });
  return {
    unsaved: { ...side.unsaved, [section]: { ...waiting, ...Object.fromEntries(typed) } },
    seen: { ...side.seen, [section]: { ...side.seen[section], ...Object.fromEntries(fresh) } },
  };
}

/** Notes what is sent. */
export function withSaid(said: Side["said"], section: SectionKey, answers: Answers): Side["said"] {
  const added = Object.entries(answers).map(([field, answer]) => {
    const name = nameOf(section, field);
    return [name, [...(said[name] ?? []), answer]] as const;
  });
  return { ...said, ...Object.fromEntries(added) };
}

/**
 * Takes over the server's newer copy: a word of this device that another one replaced is told; a notice whose other word holds
 * by now goes.
 */
export function withNewer(side: Side, newer: BookingForm): Pick<Side, "form" | "told"> {
  const { form, told } = side;
  if (form !== null && newer.version < form.version) return { form, told };
  const replaced = SECTIONS.flatMap((section) => {
    const answers: Answers = newer.sections[section] ?? {};
    return Object.entries(answers).flatMap(([field, there]) => replacedHere(side, section, field, there));
  });
  const open = told.filter(
    (one) => !isSame(newer.sections[one.section]?.[one.field], one.kept === "here" ? one.there : one.here),
  );
  return { form: newer, told: withoutOlder(open, replaced) };
}

function replacedHere({ form, unsaved, said }: Side, section: SectionKey, field: string, there: Answer): Told[] {
  const here = form?.sections[section]?.[field];
  const spoken = said[nameOf(section, field)] ?? [];
  const isOurs = here !== undefined && spoken.includes(here);
  // A field that is being typed in is told about when it is saved.
  const isWaiting = unsaved[section]?.[field] !== undefined;
  if (!isOurs || isWaiting || spoken.includes(there) || isSame(here, there)) return [];
  return [{ section, field, here, there, kept: "there" }];
}

/** Takes over the answer to a save: what it replaced on another device is told. */
export function withSaved(
  side: Side,
  section: SectionKey,
  sent: Answers,
  saved: { form: BookingForm; overwritten: Answers },
): Pick<Side, "form" | "told" | "unsaved" | "seen" | "held"> {
  const overwritten = Object.entries(saved.overwritten).flatMap(([field, there]): Told[] => {
    const isOwn = (side.said[nameOf(section, field)] ?? []).includes(there);
    const here = sent[field];
    return isOwn || here === undefined ? [] : [{ section, field, here, there, kept: "here" }];
  });
  const { [section]: _sent, ...unsaved } = side.unsaved;
  const { [section]: _seen, ...seen } = side.seen;
  const newer = withNewer({ ...side, unsaved: { ...unsaved, [section]: sent } }, saved.form);
  // What was sent is what the field under the hands shows now.
  const value = side.held?.section === section && side.held.field !== null ? sent[side.held.field] : undefined;
  const held = side.held && value !== undefined ? { ...side.held, value } : side.held;
  return { form: newer.form, told: withoutOlder(newer.told, overwritten), unsaved, seen, held };
}

/** One notice a field: the newest. */
function withoutOlder(told: readonly Told[], added: readonly Told[]): readonly Told[] {
  if (added.length === 0) return told;
  const isNewer = (one: Told) => added.some((other) => other.section === one.section && other.field === one.field);
  return [...told.filter((one) => !isNewer(one)), ...added];
}

/** The sections in the order in which what waits is saved. */
export const SECTIONS: readonly SectionKey[] = [
  "personal_form",
  "emergency_form",
  "guarantor_form",
  "confirmation_documents",
];
