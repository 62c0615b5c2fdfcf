import type { SectionKey } from "../../contract/wire.ts";
import type { Answers, Unsaved } from "./bookingMachine.ts";

const keyOf = (formUuid: string) => `latchkey.form.${formUuid}`;
const SECTIONS: readonly SectionKey[] = ["personal_form", "emergency_form", "guarantor_form", "confirmation_documents"];

/** Keeps what the server has not taken yet; an empty draft leaves nothing behind on the device. */
export function keepAnswers(storage: Storage, formUuid: string, unsaved: Unsaved): void {
  try {
    if (Object.keys(unsaved).length === 0) storage.removeItem(keyOf(formUuid));
    else storage.setItem(keyOf(formUuid), JSON.stringify(unsaved));
  } catch {
    // Storage full or off: the answers live as long as the page, and go out with the next save.
  }
}

/** What an earlier visit could not send. Unreadable storage is cleared (Spec §5). */
export function keptAnswers(storage: Storage, formUuid: string): Unsaved {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(formUuid)) ?? "{}");
    if (typeof stored !== "object" || stored === null) throw new Error("not a draft");
    const parts = new Map<string, unknown>(Object.entries(stored));
    const kept: Unsaved = {};
    for (const section of SECTIONS) {
      const answers = answersOf(parts.get(section));
      if (answers) kept[section] = answers;
    }
    return kept;
  } catch {
    storage.removeItem(keyOf(formUuid));
    return {};
  }
}

function answersOf(value: unknown): Answers | null {
  if (typeof value !== "object" || value === null) return null;
  const answers: Answers = {};
  for (const [field, answer] of Object.entries(value)) {
    if (typeof answer === "string" || typeof answer === "boolean") answers[field] = answer;
  }
  return answers;
}
