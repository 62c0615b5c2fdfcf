/** The draft of a brand while it is typed: what is shown, what is sent, and what others changed under it. */
import { FALLBACK } from "../../i18n/languages.ts";
import type { BrandValues } from "./brandCalls.ts";

export type ValueName = keyof BrandValues;
export type Words = NonNullable<BrandValues["hero"]>;
export type Section = NonNullable<BrandValues["sections"]>[number];
export type Contact = NonNullable<BrandValues["support"]>[number];
export type FooterLink = NonNullable<BrandValues["footer_links"]>[number];

/** Values in the order of the form. */
export const VALUES = [
  "name",
  "tagline",
  "logo",
  "logo_dark",
  "favicon",
  "app_icon",
  "social_picture",
  "main_colour",
  "button_colour",
  "footer_colour",
  "font",
  "hero",
  "hero_lede",
  "sections",
  "mail_small_print",
  "letterhead",
  "support",
  "footer_links",
  "first_language",
  "currency",
  "region",
] as const satisfies readonly ValueName[];

/** Sections of the home page in the order that ships. */
export const SECTIONS = ["cities", "recent", "facts", "how_it_works", "ask"] as const satisfies readonly Section[];

/** Typed values, and those that they were typed over. */
export interface Draft {
  readonly typed: BrandValues;
  readonly over: BrandValues;
}

export const NO_DRAFT: Draft = { typed: {}, over: {} };

/** Names that are values of a brand, in the order of the form. */
export const listValues = (names: readonly string[]): ValueName[] => VALUES.filter((name) => names.includes(name));

function keepValues(values: BrandValues, isKept: (name: string) => boolean): BrandValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)));
}

/** Saved values with the typed ones over them. */
export function showValues({ typed }: Draft, saved: BrandValues): BrandValues {
  return { ...saved, ...typed };
}

/** Types values over saved ones; one that comes to what is saved is no change. */
export function typeOver(draft: Draft, saved: BrandValues, values: BrandValues): Draft {
  const typed = { ...draft.typed, ...values };
  const over = { ...keepValues(saved, (name) => name in values), ...draft.over };
  const isChange = (name: string) => !isSame(name, typed, saved) || !isSame(name, over, saved);
  return { typed: keepValues(typed, isChange), over: keepValues(over, (name) => name in typed && isChange(name)) };
}

/** Drops the `sent` values, which were saved, from a draft: those that were typed meanwhile stay. */
export function dropSent(draft: Draft, sent: BrandValues, saved: BrandValues): Draft {
  const isLeft = (name: string) => !(name in sent) || !isSame(name, draft.typed, sent);
  return {
    typed: keepValues(draft.typed, isLeft),
    over: keepValues({ ...draft.over, ...saved }, (name) => isTyped(draft, name) && isLeft(name)),
  };
}

const isTyped = ({ typed }: Draft, name: string) => name in typed;

/** Typed values that others changed since. */
export function listOvertaken({ typed, over }: Draft, saved: BrandValues): ValueName[] {
  return VALUES.filter((name) => name in typed && !isSame(name, over, saved));
}

/** The same values over what is saved by now. */
export function keepMine(draft: Draft, saved: BrandValues): Draft {
  return typeOver({ typed: draft.typed, over: keepValues(saved, (name) => isTyped(draft, name)) }, saved, {});
}

/** The draft without values that others changed. */
export function takeTheirs({ typed, over }: Draft, names: readonly string[]): Draft {
  const isKept = (name: string) => !names.includes(name);
  return { typed: keepValues(typed, isKept), over: keepValues(over, isKept) };
}

/** Values as they are sent: trimmed, and null where nothing is left. Without sections the home page has none. */
export function cleanValues(values: BrandValues): BrandValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cleanNamed(name, value)]));
}

function cleanNamed(name: string, value: unknown): unknown {
  if (name === "sections") return value;
  return name.endsWith("_colour") && typeof value === "string" ? (readColour(value) ?? clean(value)) : clean(value);
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return value.trim() || null;
  if (Array.isArray(value)) {
    const kept = value.map((one) => dropNulls(clean(one))).filter((one) => one !== null);
    return kept.length > 0 ? kept : null;
  }
  if (!isRecord(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clean(one)]));
}

/** Without empty parts; null where it has no others. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isRecord(value)) return value ?? null;
  const parts = Object.entries(value).map(([name, one]) => [name, dropNulls(one)] as const);
  const kept = parts.filter(([, one]) => one !== null).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function isSame(name: string, one: BrandValues, other: BrandValues): boolean {
  const write = (values: BrandValues) => {
    const value = Object.entries(cleanValues(keepValues(values, (its) => its === name)))[0]?.[1];
    return JSON.stringify(dropNulls(value));
  };
  return write(one) === write(other);
}

/** A text in a language, as pages choose it: in that language, else in the one that all fall back to. */
export function sayWords(words: Words | null | undefined, lang: string): string | null {
  return words?.[lang]?.trim() || words?.[FALLBACK]?.trim() || null;
}

/** A colour as it is typed, with or without its mark, by three digits or six; null where it is none. */
export function readColour(text: string | null | undefined): string | null {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text?.trim() ?? "")?.[1]?.toUpperCase();
  if (digits === undefined) return null;
  return `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join("")}`;
}

/** Sections in the order of the list: those that are shown, then the others. */
export function listSections(shown: readonly Section[] | null | undefined): Section[] {
  const first = shown ?? SECTIONS;
  return [...first, ...SECTIONS.filter((name) => !first.includes(name))];
}

/** Shows or hides a section; null for all in the order that ships. */
export function toggleSection(shown: readonly Section[] | null | undefined, name: Section): Section[] | null {
  const now = shown ?? SECTIONS;
  return orShipped(now.includes(name) ? now.filter((one) => one !== name) : [...now, name]);
}

/** Moves a shown section up (-1) or down (1). */
export function moveSection(
  shown: readonly Section[] | null | undefined,
  name: Section,
  step: -1 | 1,
): Section[] | null {
  const now = [...(shown ?? SECTIONS)];
  const from = now.indexOf(name);
  const to = from + step;
  if (from < 0 || to < 0 || to >= now.length) return orShipped(now);
  now.splice(from, 1);
  now.splice(to, 0, name);
  return orShipped(now);
}

function orShipped(sections: Section[]): Section[] | null {
  return sections.join() === SECTIONS.join() ? null : sections;
}
