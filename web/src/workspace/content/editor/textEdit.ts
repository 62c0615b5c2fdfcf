/** A text while it is written: where it begins, what was typed over which revision, and names that the site cannot fill in. */
import type { HouseText } from "../contentCalls.ts";

export type Words = Required<HouseText["shipped"]>;

export const WORD_FIELDS = ["title", "description", "lead", "act", "body"] as const satisfies readonly (keyof Words)[];
export type WordField = (typeof WORD_FIELDS)[number];

/** Fields without which a text cannot be kept. */
export const NEEDED: readonly WordField[] = ["title", "description", "body"];

/** Words that were typed, and the revision that they were typed over. */
export interface Typed {
  words: Words;
  revision: number;
}

/** Words with every field. */
export function fillWords({ title, description, lead = "", act = "", body }: HouseText["shipped"]): Words {
  return { title, description, lead, act, body };
}

/** Words that an edit begins with: the draft, else the shown version, else the text that ships. */
export function startWords({ draft, is_shown, versions, shipped }: HouseText): Words {
  const shown = is_shown ? versions[0]?.text : undefined;
  return fillWords(draft?.text ?? shown ?? shipped);
}

export function isSameText(one: Words, other: Words): boolean {
  return WORD_FIELDS.every((field) => one[field] === other[field]);
}

/** Types words over a text; the words that are kept already are no change. */
export function typeWords(text: HouseText, typed: Typed | null, words: Words): Typed | null {
  const revision = typed?.revision ?? text.revision;
  return isSameText(words, startWords(text)) && revision === text.revision ? null : { words, revision };
}

/** Words that were typed on while others were being kept, over the text as it is now; null where there are none. */
export function afterSaving(typed: Typed | null, sent: Words, saved: HouseText): Typed | null {
  return typed === null || isSameText(typed.words, sent) ? null : { words: typed.words, revision: saved.revision };
}

/** A name in braces that the site does not know. */
export interface NameFault {
  field: WordField;
  /** From 1. */
  line: number;
  name: string;
  /** A known name that may be meant. */
  near: string | null;
}

/** Words in braces; `{#anchor}` of a heading is none. */
const NAMED = /\{([\p{L}\p{N}_ -]+)\}/gu;

/** Every unknown name of a text, with its line. */
export function findNameFaults(words: Words, names: readonly string[]): NameFault[] {
  return WORD_FIELDS.flatMap((field) =>
    words[field].split("\n").flatMap((said, at) => {
      const named = [...said.matchAll(NAMED)].map(([, name = ""]) => name);
      const unknown = named.filter((name) => !names.includes(name));
      return unknown.map((name) => ({ field, line: at + 1, name, near: findNear(name, names) }));
    }),
  );
}

/** Letters that a name begins with, by which a misspelt one is recognised. */
const BEGINNING = 3;

function findNear(name: string, names: readonly string[]): string | null {
  const typed = name
    .toLowerCase()
    .replaceAll(/[ -]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  if (typed === "") return null;
  const isNear = (known: string) => known.startsWith(typed.slice(0, BEGINNING)) || typed.endsWith(known);
  return names.find((known) => known === typed) ?? names.find(isNear) ?? null;
}

/** Needed fields that are empty. */
export function listEmpty(words: Words): WordField[] {
  return NEEDED.filter((field) => words[field].trim() === "");
}

/** A text with a name put in place of what is selected. */
export function putName(text: string, name: string, [from, to]: readonly [number, number]): string {
  return `${text.slice(0, from)}{${name}}${text.slice(to)}`;
}
