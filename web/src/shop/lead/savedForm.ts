import type { KeptTexts } from "../../deviceStorage.ts";
/** Spec §3 "Saved lead form data": the form's values under the specification's names, in two parts. */

import { comingQuarters, quarterOf } from "./moveIn.ts";

export const PART_ONE = [
  "user_details/name",
  "user_details/email",
  "user_details/phone",
  "user_details/phone_code",
  "region",
  "intake",
] as const;

export const PART_TWO = [
  "no_of_students",
  "university",
  "configuration",
  "move_in_date",
  "lease_duration",
  "budget",
] as const;

/** A field that is kept as it is typed. */
export type SavedField = (typeof PART_ONE)[number] | (typeof PART_TWO)[number];

/** What is kept; a field never typed is absent. */
export type SavedForm = Partial<Record<SavedField, string>>;

const KEYS = { one: "lead_form_part_one", two: "lead_form_part_two" } as const;

/** The saved form. Spec §5: storage that cannot be read is cleared. */
export function readSaved(storage: KeptTexts): SavedForm {
  return { ...readPart(storage, KEYS.one, PART_ONE), ...readPart(storage, KEYS.two, PART_TWO) };
}

function readPart(storage: KeptTexts, key: string, names: readonly SavedField[]): SavedForm {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? "{}");
    if (typeof stored !== "object" || stored === null || Array.isArray(stored)) throw new Error("not a form");
    const values = new Map<string, unknown>(Object.entries(stored));
    const saved: SavedForm = {};
    for (const name of names) {
      const value = values.get(name);
      if (typeof value === "string") saved[name] = value;
    }
    return saved;
  } catch {
    clear(storage, key);
    return {};
  }
}

/** A month that was chosen in an earlier visit and has passed since is nobody's wish any more. */
export function stillMeant(saved: SavedForm, today: string): SavedForm {
  const { move_in_date: moveIn, ...others } = saved;
  return moveIn === undefined || quarterOf(comingQuarters(today), moveIn) === null ? others : saved;
}

function clear(storage: KeptTexts, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // A storage that cannot even forget keeps nothing for us to mind.
  }
}

/** Keeps the values as they are typed; answers whether the device could keep them. */
export function writeSaved(storage: KeptTexts, changes: SavedForm): boolean {
  const all = { ...readSaved(storage), ...changes };
  const part = (names: readonly SavedField[]) =>
    JSON.stringify(Object.fromEntries(names.filter((name) => all[name]).map((name) => [name, all[name]])));
  try {
    storage.setItem(KEYS.one, part(PART_ONE));
    storage.setItem(KEYS.two, part(PART_TWO));
    return true;
  } catch {
    return false;
  }
}

/** Spec §4: saved local data marks part one as filled. */
export function isPartOneFilled(saved: SavedForm): boolean {
  return Boolean(saved["user_details/name"] && saved["user_details/email"] && saved["user_details/phone"]);
}
