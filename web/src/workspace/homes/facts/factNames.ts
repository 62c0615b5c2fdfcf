/** Names of a home's facts, as the server writes them, and values that hold several words. */

/** A stay as facts name it: `2027-09-11/44 weeks`. */
export interface StayName {
  moveIn: string;
  length: string;
}

/** A fact by its name; a `fixed` one is shown only. */
export type FactName =
  | { kind: "name" | "guarantor" | "bills" | "property_kind" | "facilities" | "address" | "terms" | "fixed" }
  | { kind: "description" | "local_name"; language: string }
  | { kind: "count" | "room_name" | "room_types"; room: string }
  | { kind: "price"; room: string; stay: StayName };

const PROPERTY = {
  name: "name",
  guarantor: "guarantor",
  bills_included: "bills",
  kind: "property_kind",
  facilities: "facilities",
  address: "address",
  terms: "terms",
} as const;

const ROOM = { count: "count", name: "room_name", kind: "room_types" } as const;

/** Reads the name of a fact. */
export function readFactName(fact: string): FactName {
  if (isKey(PROPERTY, fact)) return { kind: PROPERTY[fact] };
  const [, text, language] = /^(description|name)\.(.+)$/.exec(fact) ?? [];
  if (language !== undefined) return { kind: text === "name" ? "local_name" : "description", language };
  const [, room, part = "", moveIn, length] = /^rooms\.([^.]+)\.(\w+)(?:\.([^/]+)\/(.+))?$/.exec(fact) ?? [];
  if (room === undefined) return { kind: "fixed" };
  if (isKey(ROOM, part)) return { kind: ROOM[part], room };
  if (part !== "price" || moveIn === undefined || length === undefined) return { kind: "fixed" };
  return { kind: "price", room, stay: { moveIn, length } };
}

function isKey<T extends object>(table: T, key: string): key is keyof T & string {
  return Object.hasOwn(table, key);
}

export const GUARANTORS = ["local", "international", "not_required"] as const;
export const BILLS = ["included", "apart"] as const;
export const PROPERTY_KINDS = ["student_accommodation", "apartment", "university_hall", "house"] as const;
export const ADDRESS_PARTS = [
  "street_number",
  "route",
  "locality",
  "district",
  "state",
  "postal_code",
  "country",
] as const;

/** Lines of an address: number and street are one of them. */
export function listAddressLines({
  street_number = "",
  route = "",
  ...rest
}: Readonly<Record<string, string>>): string[] {
  const street = [street_number, route].filter((part) => part !== "").join(" ");
  return [street, ...ADDRESS_PARTS.map((part) => (part in rest ? (rest[part] ?? "") : ""))].filter(
    (line) => line !== "",
  );
}

/** The length of a stay, read from its name: `44 weeks`. */
export function readLength(length: string): { n: number; unit: "weeks" | "months" } {
  return { n: Number.parseInt(length, 10), unit: length.endsWith("months") ? "months" : "weeks" };
}

/** Parts of a value that was spelled by name. */
export function readParts(text: string): Record<string, string> {
  const parts: unknown = text === "" ? {} : JSON.parse(text);
  if (parts === null || typeof parts !== "object") return {};
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, String(part)]));
}

/** A part of such a value changed. */
export function writePart(text: string, name: string, part: string): string {
  return JSON.stringify({ ...readParts(text), [name]: part });
}

/** Words of a value that was spelled as a list. */
export function readWords(text: string): string[] {
  const words: unknown = text === "" ? [] : JSON.parse(text);
  return Array.isArray(words) ? words.map(String) : [];
}

/** The list with a word, or without it. */
export function toggleWord(text: string, word: string): string {
  const words = readWords(text);
  return JSON.stringify(words.includes(word) ? words.filter((other) => other !== word) : [...words, word].toSorted());
}

/** A fact's name as part of an element's id: a space would make two ids of it where it labels something. */
export function nameElement(part: "fact" | "label" | "fault", fact: string): string {
  return `${part}-${fact.replaceAll(/[^\w.-]/g, "_")}`;
}
