/** Languages of a home's texts: which there are, and rows for those that are typed for the first time. */
import type { HomeFact } from "../../../contract/wire.ts";
import type { Draft } from "./homeEdit.ts";

/** Texts of a home that each language may have one of, by the beginning of their facts' names. */
const PREFIXES = { name: "name.", description: "description." } as const;

export type LanguageText = keyof typeof PREFIXES;

/** The name of the fact that a text in a language is. */
export const nameText = (text: LanguageText, tag: string): string => `${PREFIXES[text]}${tag}`;

/** The facts with a row for each language that was added, or whose text was typed before anybody said one. */
export function addLanguages(facts: readonly HomeFact[], draft: Draft, added: readonly string[]): HomeFact[] {
  const isText = (fact: string) => Object.values(PREFIXES).some((prefix) => fact.startsWith(prefix));
  const wanted = new Set([...Object.keys(draft.typed).filter(isText), ...added]);
  const missing = [...wanted].filter((name) => facts.every(({ fact }) => fact !== name));
  return [...facts, ...missing.map(sayNothing)];
}

function sayNothing(fact: string): HomeFact {
  return { fact, value: null, from: "person", feed: null, person: null, is_set: false, note: "", room_id: null };
}

/** Languages in which a home has no row for a text yet. */
export function listMissing(facts: readonly HomeFact[], text: LanguageText, languages: readonly string[]): string[] {
  return languages.filter((tag) => facts.every(({ fact }) => fact !== nameText(text, tag)));
}
