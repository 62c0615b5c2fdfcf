import { useEffect, useState } from "react";
import { get } from "../../api.ts";
import type { BookingForm, EarlierAnswers } from "../../contract/wire.ts";
import { session } from "../session.ts";
import type { Answers, Unsaved } from "./fieldMerge.ts";

/**
 * What the person who is logged in answered in an earlier form, for the fields that this one asks. An error is ignored:
 * the fields are empty then, as for a first booking.
 */
export async function earlierAnswers(form: BookingForm): Promise<Unsaved> {
  if (session().state === "visitor") return {};
  try {
    const { sections } = await get("/api/v0/users/earlier_answers", { fresh: true });
    return answersAsked(form, sections);
  } catch {
    return {};
  }
}

/** The answers whose fields stand in this form, too; of a choice only one that can still be chosen. */
export function answersAsked(form: BookingForm, earlier: EarlierAnswers["sections"]): Unsaved {
  const asked: Unsaved = {};
  for (const { key, fields } of form.form.sections) {
    const known = earlier[key];
    if (!known) continue;
    const kept: Answers = {};
    for (const field of fields) {
      const answer = known[field.key];
      const isChoice = field.options.length === 0 || field.options.includes(String(answer));
      if (answer !== undefined && isChoice) kept[field.key] = answer;
    }
    if (Object.keys(kept).length > 0) asked[key] = kept;
  }
  return asked;
}

/** The phone number of an earlier form, international; empty until it is known and for a first booking. */
export function useEarlierPhone(isWanted: boolean): string {
  const [phone, setPhone] = useState("");
  useEffect(() => {
    if (!isWanted) return;
    get("/api/v0/users/earlier_answers", { fresh: true }).then(
      ({ sections }) => setPhone(String(sections.personal_form?.phone ?? "")),
      // Without it the field is empty, as for a first booking.
      () => undefined,
    );
  }, [isWanted]);
  return phone;
}
