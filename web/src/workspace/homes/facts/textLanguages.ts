/** Languages of a home's texts: which there are, and rows for those that are typed for the first time. */
import type { HomeFact } from "../../../contract/wire.ts";
import type { Draft } from "./homeEdit.ts";

const PREFIX = "description.";

/** The facts with a row for each language that was added, or whose text was typed before anybody said one. */
export function addLanguages(facts: readonly HomeFact[], draft: Draft, added: readonly string[]): HomeFact[] {
  const typed = Object.keys(draft.typed).filter((fact) => fact.startsWith(PREFIX));
  const wanted = new Set([...typed, ...added.map((tag) => `${PREFIX}${tag}`)]);
  const missing = [...wanted].filter((name) => facts.every(({ fact }) => fact !== name));
  return [...facts, ...missing.map(sayNothing)];
}

function sayNothing(fact: string): HomeFact {
  return { fact, value: null, from: "person", feed: null, person: null, is_set: false, note: "", room_id: null };
}

/** Languages of pages in which a home has no row for its description yet. */
export function listMissing(facts: readonly HomeFact[], languages: readonly string[]): string[] {
  return languages.filter((tag) => facts.every(({ fact }) => fact !== `${PREFIX}${tag}`));
}
