import { useState } from "react";

/**
 * State of a form that outlives its dialog: what was typed is there again after Escape, until it is taken out of `kept`. `about` names
 * what is written and about whom. It is kept in memory alone, as it may tell of a person.
 */
export function useKeptDraft<T>(
  kept: Map<string, T>,
  about: string,
  begin: () => NoInfer<T>,
): [draft: T, change: (next: T) => void] {
  const [draft, setDraft] = useState(() => kept.get(about) ?? begin());
  const change = (next: T) => {
    kept.set(about, next);
    setDraft(next);
  };
  return [draft, change];
}

const words = new Map<string, string>();

/** The words of a dialog that has one field for them. */
export function useKeptWords(about: string): [words: string, change: (next: string) => void] {
  return useKeptDraft(words, about, () => "");
}

/** Forgets the words that were sent. */
export function dropKeptWords(about: string): void {
  words.delete(about);
}
