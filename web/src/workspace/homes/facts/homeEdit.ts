/** The edit of a home while it is typed: which facts can be typed, what is sent of them, and what others changed under it. */
import type { HomeEdit, HomeFact, HomeValues, LeaseEdit, RoomEdit, TermsValue } from "../../../contract/wire.ts";
import {
  type Counted,
  type NumberDoubt,
  type Reading,
  readAmount,
  readCount,
  spellAmount,
} from "../../../typedNumber.ts";
import { readCurrency } from "../../homeCurrency.ts";
import { readFactName, readParts, readWords } from "./factNames.ts";

/** A value that a person typed over the shown one, and the value that it was typed over. */
interface Typed {
  text: string;
  /** The shown value, as text, when the first letter was typed. */
  over: string;
}

/** Typed values by the names of their facts. */
export interface Draft {
  typed: Readonly<Record<string, Typed>>;
  /** Facts that go back to what the feed says. */
  given: readonly string[];
}

export const NO_DRAFT: Draft = { typed: {}, given: [] };

type Amount = Exclude<
  keyof TermsValue,
  "asks_no_deposit" | "booking_allowed" | "payment_before_bookform" | "deposit_multiplier_percent"
>;

/** Amounts of the terms that staff type; nothing typed is nothing said. */
export const AMOUNTS = [
  "deposit_minor",
  "refundable_token_minor",
  "platform_fee_minor",
] as const satisfies readonly Amount[];

/** A value of a fact as it is compared. */
export function writeValue(value: HomeFact["value"]): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A value of a fact as its field spells it. */
export function spellValue(fact: string, value: HomeFact["value"], counted: Counted): string {
  const { kind } = readFactName(fact);
  if (kind === "price" && typeof value === "number") return spellAmount(value, counted.decimals);
  if (kind === "facilities" || kind === "room_types")
    return JSON.stringify(Array.isArray(value) ? value.toSorted() : []);
  if (kind === "terms") return JSON.stringify(isTerms(value) ? spellTerms(value, counted) : {});
  if (kind === "address" || kind === "room_name") return JSON.stringify(isTexts(value) ? value : {});
  return writeValue(value);
}

function spellTerms(terms: TermsValue, { decimals }: Counted): Record<string, string> {
  const amounts = AMOUNTS.map((name) => [name, terms[name] === 0 ? "" : spellAmount(terms[name], decimals)] as const);
  const { booking_allowed, asks_no_deposit } = terms;
  return {
    booking_allowed: String(booking_allowed),
    asks_no_deposit: String(asks_no_deposit),
    ...Object.fromEntries(amounts),
  };
}

export function isTerms(value: HomeFact["value"]): value is TermsValue {
  return value !== null && typeof value === "object" && !Array.isArray(value) && "deposit_multiplier_percent" in value;
}

export function isTexts(value: HomeFact["value"]): value is Record<string, string> {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !isTerms(value);
}

/** Types a value over a fact; the shown value itself is no edit. `spelled` is the shown value as its field spells it. */
export function typeOver(draft: Draft, { fact, value }: HomeFact, text: string, spelled: string): Draft {
  const { [fact]: before, ...others } = draft.typed;
  const over = before?.over ?? writeValue(value);
  const given = draft.given.filter((name) => name !== fact);
  if (text === spelled && over === writeValue(value)) return { typed: others, given };
  return { typed: { ...others, [fact]: { text, over } }, given };
}

/** Gives a fact back to its feed, or no longer. */
export function toggleGiven(draft: Draft, fact: string): Draft {
  const { [fact]: _, ...typed } = draft.typed;
  const isGiven = draft.given.includes(fact);
  return { typed, given: isGiven ? draft.given.filter((name) => name !== fact) : [...draft.given, fact] };
}

/** Keeps what was typed though the value under it is another one now. */
export function keepMine(draft: Draft, { fact, value }: HomeFact): Draft {
  const mine = draft.typed[fact];
  if (mine === undefined) return draft;
  return { ...draft, typed: { ...draft.typed, [fact]: { ...mine, over: writeValue(value) } } };
}

/** Takes what was typed over a fact away. */
export function takeTheirs(draft: Draft, { fact }: HomeFact): Draft {
  const { [fact]: _, ...typed } = draft.typed;
  return { ...draft, typed };
}

/** Leaves facts that need not go back any more: their feed won meanwhile, and there is nothing of a person to take back. */
export function dropSettled(draft: Draft, facts: readonly HomeFact[]): Draft {
  const given = draft.given.filter((name) => facts.some(({ fact, is_set }) => fact === name && is_set));
  return given.length === draft.given.length ? draft : { ...draft, given };
}

export function countChanges({ typed, given }: Draft): number {
  return Object.keys(typed).length + given.length;
}

/** Whether somebody changed a fact after it was typed over. */
export function isOvertaken(draft: Draft, { fact, value }: HomeFact): boolean {
  const mine = draft.typed[fact];
  return mine !== undefined && mine.over !== writeValue(value);
}

/** The doubt about numbers that were typed over a fact; null where there is none. */
export function findDoubt(fact: string, text: string, counted: Counted): { typed: string; doubt: NumberDoubt } | null {
  const { kind } = readFactName(fact);
  if (kind === "count" || kind === "price")
    return doubtOf(text, kind === "count" ? readCount(text) : readAmount(text, counted));
  if (kind !== "terms") return null;
  const parts = readParts(text);
  for (const name of AMOUNTS) {
    const typed = parts[name] ?? "";
    const found = typed.trim() === "" ? null : doubtOf(typed, readAmount(typed, counted));
    if (found !== null) return found;
  }
  return null;
}

function doubtOf(typed: string, reading: Reading): { typed: string; doubt: NumberDoubt } | null {
  return "doubt" in reading ? { typed, doubt: reading.doubt } : null;
}

type Room = RoomEdit & { leases: LeaseEdit[] };

/** Makes the edit of a draft without doubts. */
export function buildEdit(home: HomeValues, draft: Draft, reason: string): HomeEdit {
  const counted = readCurrency(home.currency);
  const edit: HomeEdit = { position: home.position, reason: reason.trim() };
  const rooms = new Map<string, Room>();
  for (const [fact, { text }] of Object.entries(draft.typed)) {
    const name = readFactName(fact);
    if ("room" in name) writeRoom(rooms, name, text, counted);
    else writeProperty(edit, name, text, home, counted);
  }
  if (rooms.size > 0) edit.rooms = [...rooms.values()];
  if (draft.given.length > 0) edit.unset = [...draft.given];
  return edit;
}

type Name = ReturnType<typeof readFactName>;

function writeProperty(edit: HomeEdit, name: Name, text: string, home: HomeValues, counted: Counted): void {
  switch (name.kind) {
    case "name":
      edit.name = text.trim();
      break;
    case "local_name":
      edit.names = { ...edit.names, [name.language]: text.trim() || null };
      break;
    case "description":
      edit.description = { ...edit.description, [name.language]: text.trim() || null };
      break;
    // A choice holds words of the server, or nothing for what is not said.
    case "guarantor":
    case "bills":
    case "property_kind":
      Object.assign(edit, { [name.kind === "property_kind" ? "kind" : name.kind]: text || "not_said" });
      break;
    case "facilities":
      edit.facilities = readWords(text);
      break;
    case "address":
      edit.address = dropBlanks(readParts(text));
      break;
    case "terms": {
      const shown = home.values.find(({ fact }) => fact === "terms")?.value ?? null;
      edit.terms = readTerms(readParts(text), readParts(spellValue("terms", shown, counted)), counted);
      break;
    }
  }
}

/** A part that is empty is not said. */
function dropBlanks(parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part.trim() !== ""));
}

type TermsEdit = NonNullable<HomeEdit["terms"]>;

/** The terms that differ from the shown ones; those that are not named stay. */
function readTerms(typed: Record<string, string>, shown: Record<string, string>, counted: Counted): TermsEdit {
  const terms: TermsEdit = {};
  if (typed.booking_allowed !== shown.booking_allowed) terms.booking_allowed = typed.booking_allowed === "true";
  if (typed.asks_no_deposit !== shown.asks_no_deposit) terms.asks_no_deposit = typed.asks_no_deposit === "true";
  for (const name of AMOUNTS) {
    const text = typed[name] ?? "";
    if (text !== (shown[name] ?? "")) terms[name] = text.trim() === "" ? 0 : numberIn(readAmount(text, counted));
  }
  return terms;
}

const numberIn = (reading: Reading) => ("number" in reading ? reading.number : 0);

function writeRoom(rooms: Map<string, Room>, name: Name & { room: string }, text: string, counted: Counted): void {
  const room: Room = rooms.get(name.room) ?? { room_id: name.room, leases: [] };
  rooms.set(name.room, room);
  if (name.kind === "count") room.count = numberIn(readCount(text));
  if (name.kind === "room_name") room.name = dropBlanks(readParts(text));
  if (name.kind === "room_types") room.types = readWords(text);
  if (name.kind === "price") {
    const { moveIn, length } = name.stay;
    room.leases.push({ move_in: moveIn, length, price_minor: numberIn(readAmount(text, counted)) });
  }
}

const RENAMED: Readonly<Record<string, string>> = { bills: "bills_included" };

/** The fact that a refusal of the server is about: `rooms/0/leases/1` of the edit is a price of a room. */
export function nameRefused(edit: HomeEdit, field: string): string {
  const [first = "", second] = field.split("/");
  if (first === "description" && second !== undefined) return `description.${second}`;
  if (first === "names" && second !== undefined) return `name.${second}`;
  // A fact by its own name, which may hold a `/`: the price of a stay.
  if (first.startsWith("rooms.")) return field;
  if (first !== "rooms") return RENAMED[first] ?? first;
  const [, at, lease] = /^rooms\/(\d+)(?:\/leases\/(\d+))?/.exec(field) ?? [];
  const room = at === undefined ? undefined : edit.rooms?.[Number(at)];
  if (room === undefined) return field;
  const stay = lease === undefined ? undefined : room.leases?.[Number(lease)];
  return stay === undefined
    ? `rooms.${room.room_id}.count`
    : `rooms.${room.room_id}.price.${stay.move_in}/${stay.length}`;
}

/** What a student sees of a fact with the draft over it, as its field spells it; null where nothing is said. */
export function findShown(draft: Draft, fact: HomeFact | undefined, counted: Counted): string | null {
  if (fact === undefined) return null;
  const typed = draft.typed[fact.fact];
  if (typed !== undefined) return typed.text.trim() || null;
  const value = draft.given.includes(fact.fact) && fact.feed !== null ? fact.feed.value : fact.value;
  return value === null ? null : spellValue(fact.fact, value, counted) || null;
}
