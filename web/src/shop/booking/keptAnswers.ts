import type { KeptTexts } from "../../deviceStorage.ts";
import { type Answers, SECTIONS, type Unsaved } from "./fieldMerge.ts";

/** What the server has not taken yet, and what the screen showed before it was typed. */
interface Kept {
  unsaved: Unsaved;
  seen: Unsaved;
}

const keyOf = (formUuid: string) => `latchkey.form.${formUuid}`;

/** Keeps what the server has not taken yet; an empty draft leaves nothing behind on the device. */
export function keepAnswers(storage: KeptTexts, formUuid: string, kept: Kept): void {
  try {
    if (Object.keys(kept.unsaved).length === 0) storage.removeItem(keyOf(formUuid));
    else storage.setItem(keyOf(formUuid), JSON.stringify(kept));
  } catch {
    // Storage full or off: the answers live as long as the page, and go out with the next save.
  }
}

/** What an earlier visit could not send. Unreadable storage is cleared (Spec §5). */
export function keptAnswers(storage: KeptTexts, formUuid: string): Kept {
  try {
    const stored = partsOf(JSON.parse(storage.getItem(keyOf(formUuid)) ?? "{}"));
    return { unsaved: sectionsOf(stored.get("unsaved") ?? {}), seen: sectionsOf(stored.get("seen") ?? {}) };
  } catch {
    storage.removeItem(keyOf(formUuid));
    return { unsaved: {}, seen: {} };
  }
}

function partsOf(stored: unknown): Map<string, unknown> {
  if (typeof stored !== "object" || stored === null) throw new Error("not a draft");
  return new Map<string, unknown>(Object.entries(stored));
}

function sectionsOf(stored: unknown): Unsaved {
  const parts = partsOf(stored);
  const kept: Unsaved = {};
  for (const section of SECTIONS) {
    const answers = answersOf(parts.get(section));
    if (answers) kept[section] = answers;
  }
  return kept;
}

function answersOf(value: unknown): Answers | null {
  if (typeof value !== "object" || value === null) return null;
  const answers: Answers = {};
  for (const [field, answer] of Object.entries(value)) {
    if (typeof answer === "string" || typeof answer === "boolean") answers[field] = answer;
  }
  return answers;
}
