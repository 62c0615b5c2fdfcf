import { useSyncExternalStore } from "react";
import { deviceStorage } from "../deviceStorage.ts";

/** A short list kept in this browser: recently viewed homes, homes shortlisted before logging in. */
export interface StoredList<T> {
  use: () => readonly T[];
  read: () => readonly T[];
  write: (items: readonly T[]) => void;
}

/**
 * A list under one key. What cannot be read is cleared (Spec §5); a browser without storage has an empty list.
 */
export function storedList<T>(key: string, readItem: (value: unknown) => T | null): StoredList<T> {
  const none: readonly T[] = [];
  const listeners = new Set<() => void>();
  let last: { text: string | null; items: readonly T[] } = { text: null, items: none };

  const read = (): readonly T[] => {
    const text = stored(key);
    if (text === last.text) return last.items;
    last = { text, items: text === null ? none : parse(text) };
    return last.items;
  };
  const parse = (text: string): readonly T[] => {
    try {
      const value: unknown = JSON.parse(text);
      if (!Array.isArray(value)) throw new Error("not a list");
      return value.map(readItem).filter((item) => item !== null);
    } catch {
      deviceStorage().removeItem(key);
      return none;
    }
  };
  const write = (items: readonly T[]) => {
    try {
      if (items.length === 0) deviceStorage().removeItem(key);
      else deviceStorage().setItem(key, JSON.stringify(items));
    } catch {
      // Storage full or off: the list lives as long as the page.
    }
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { read, write, use: () => useSyncExternalStore(subscribe, read, () => none) };
}

function stored(key: string): string | null {
  try {
    return deviceStorage().getItem(key);
  } catch {
    return null;
  }
}
