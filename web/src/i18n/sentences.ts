/** The space after a sentence that another one, a link or a button follows: none after a mark as wide as a character (GLOSSARY.md §2). */
export const spaceAfter = (sentence: string): string => (/[\u3000-\u303f\uff00-\uffef]$/.test(sentence) ? "" : " ");

/** Sentences in a row; a language's own are set apart as it sets them, one that fell back to another language as that does. */
export const joinSentences = (...sentences: readonly string[]): string =>
  sentences.filter(Boolean).reduce((all, next) => (all === "" ? next : all + spaceAfter(all) + next), "");
