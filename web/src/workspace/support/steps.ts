/** A sequence of steps as a person edits it, and as an address spells it: `declined,declined,paid<60`. */

import { type NumberDoubt, readAmount, WHOLE } from "../../typedNumber.ts";

export const STEP_KINDS = [
  "enquired",
  "waitlisted",
  "viewing_requested",
  "answered",
  "wrote",
  "form_started",
  "form_completed",
  "payment_started",
  "declined",
  "pending",
  "sold_out",
  "paid",
  "booked",
  "refunded",
  "disputed",
  "cancelled",
  "lost",
  "completed",
] as const;

export interface Step {
  kind: string;
  /** Only with this code; empty for any. */
  code: string;
  /** Minutes after the step before; empty for any time. */
  within: string;
  absent: boolean;
}

export const FIRST_STEP: Step = { kind: "enquired", code: "", within: "", absent: false };

/** What is wrong with the minutes of a step, where some are typed. */
export function minutesDoubt({ within }: Step): NumberDoubt | null {
  const reading = readAmount(within, WHOLE);
  return within.trim() !== "" && "doubt" in reading ? reading.doubt : null;
}

/** The step with its minutes in digits alone. */
export function inDigits(step: Step): Step {
  const reading = readAmount(step.within, WHOLE);
  return "number" in reading ? { ...step, within: String(reading.number) } : step;
}

/** As the address spells it. */
export function spelled(steps: readonly Step[]): string {
  return steps
    .map(({ kind, code, within, absent }) => {
      const coded = code.trim() === "" ? kind : `${kind}:${code.trim()}`;
      const timed = within.trim() === "" ? coded : `${coded}<${within.trim()}`;
      return absent ? `!${timed}` : timed;
    })
    .join(",");
}

/** Reads what an address spells; what cannot be read is left to the server to refuse. */
export function stepsOf(text: string | null): Step[] {
  if (text === null) return [FIRST_STEP];
  return text.split(",").map((part) => {
    const absent = part.trim().startsWith("!");
    const [named = "", within = ""] = part.trim().replace(/^!/, "").split("<");
    const [kind = "", code = ""] = named.split(":");
    return { kind, code, within, absent };
  });
}
