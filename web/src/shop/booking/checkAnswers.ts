import { isDay } from "../../calendar.ts";
import type { MessageKey } from "../../i18n/keys.ts";
import { emailFault, nameFault, phoneFault } from "../ui/contact.ts";
import { plainText } from "../ui/pasted.ts";
import type { Section } from "./bookingContext.ts";
import type { Answers } from "./fieldMerge.ts";
import { type FormField, isAsked } from "./fields.ts";

/** What is wrong with one answer, by the key of its sentence. */
export type AnswerFault = MessageKey;

/** D90, checked here to spare a round trip; the server has the last word. */
export function answerFaults(section: Section, answers: Answers, today: string): Map<string, AnswerFault> {
  const faults = new Map<string, AnswerFault>();
  for (const field of section.fields) {
    if (!isAsked(field, answers)) continue;
    const fault = faultOf(field, answers[field.key], today);
    if (fault) faults.set(field.key, fault);
  }
  return faults;
}

function faultOf(field: FormField, answer: string | boolean | undefined, today: string): AnswerFault | null {
  if (field.type === "checkbox") return field.required && answer !== true ? "booking.fault_accept" : null;
  const text = typeof answer === "string" ? answer.trim() : "";
  const isEmpty = text === "" || (field.type === "phone" && /^\+\d{0,4}$/.test(text));
  if (isEmpty) {
    if (!field.required) return null;
    return field.type === "select" || field.type === "country" ? "booking.fault_choice" : "booking.fault_required";
  }
  switch (field.type) {
    case "email":
      return emailFault(text);
    case "phone":
      return phoneAnswerFault(text);
    case "date":
      return dateFault(text, field.key === "dob", today);
    case "text":
      return field.key === "full_name" ? nameFault(text) : null;
    case "select":
    case "country":
    case "textarea":
    case "file":
      return null;
  }
}

function dateFault(text: string, isBirth: boolean, today: string): AnswerFault | null {
  if (!isDay(text)) return "booking.fault_date";
  if (!isBirth) return null;
  const years = Number(today.slice(0, 4)) - Number(text.slice(0, 4));
  const age = today.slice(5) >= text.slice(5) ? years : years - 1;
  return age >= 16 && age <= 99 ? null : "booking.fault_age";
}

/** A date as people type it: `14 / 03 / 2006`, in Chinese `2006 / 03 / 14`. */
export function shownDate(value: string, yearFirst: boolean): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  if (!year || !month || !day) return value;
  return yearFirst ? `${year} / ${month} / ${day}` : `${day} / ${month} / ${year}`;
}

const YEAR_FIRST = /^ ?(\d{4}) ?[-/.年] ?(\d{1,2}) ?[-/.月] ?(\d{1,2})日? ?$/;
const DAY_FIRST = /^ ?(\d{1,2}) ?[-/.] ?(\d{1,2}) ?[-/.] ?(\d{4}) ?$/;

/** A whole date in the order it was written in; null for one that is still being typed. */
function pastedDate(text: string, yearFirst: boolean): string | null {
  const iso = (year: string, month: string, day: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  // `2006 / 03 / 1` is how a year-first field shows a day that is half typed.
  const isHalfTyped = yearFirst && / \/ \d$/.test(text);
  if (year && month && day && !isHalfTyped) return iso(year, month, day);
  const [, first, second, last] = DAY_FIRST.exec(text) ?? [];
  return first && second && last ? iso(last, second, first) : null;
}

/** What is kept of a typed date: ISO once it is whole, until then the digits in their groups. */
export function typedDate(text: string, yearFirst: boolean): string {
  const plain = plainText(text);
  const whole = pastedDate(plain, yearFirst);
  if (whole !== null) return whole;
  const digits = plain.replace(/\D/g, "").slice(0, 8);
  const cuts = yearFirst ? [4, 6] : [2, 4];
  const parts = [digits.slice(0, cuts[0]), digits.slice(cuts[0], cuts[1]), digits.slice(cuts[1])];
  if (digits.length === 8) return (yearFirst ? parts : parts.toReversed()).join("-");
  return parts.filter((part) => part !== "").join(" / ");
}

/** `+44 7700900123` as the field keeps it, or `+447700900123` as other clients send it. */
function phoneAnswerFault(text: string): AnswerFault | null {
  const [dial = "", ...rest] = text.split(" ");
  return rest.length === 0 ? phoneFault("", text) : phoneFault(dial, rest.join(" "));
}
