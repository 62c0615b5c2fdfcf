import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/** Somebody who stops typing this long has asked. */
const RESTS_MS = 250;

/**
 * The words in a search box and in the address: the box leads while somebody types, spaces and all; the address leads
 * when it changes from outside (Back, a filter removed).
 */
export function useSearchWords(asked: string | null, ask: (words: string) => void): [string, (words: string) => void] {
  const [words, setWords] = useState(asked ?? "");
  const typed = useRef(words);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    if ((asked ?? "") !== typed.current.trim()) setWords(asked ?? "");
    typed.current = asked ?? "";
  }, [asked]);
  useEffect(() => {
    if (words.trim() === (asked ?? "")) return;
    const timer = window.setTimeout(() => {
      typed.current = words;
      latest.current(words.trim());
    }, RESTS_MS);
    return () => window.clearTimeout(timer);
  }, [words, asked]);
  return [words, setWords];
}

/** Enter leaves the box, so that the keys of the list count again; not while an input method composes a word. */
export function leaveOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === "Enter" && !event.nativeEvent.isComposing) event.currentTarget.blur();
}
