import { useEffect, useRef } from "react";

/** What a key does here; `true` when it was used. Names are those of `KeyboardEvent.key`, in small letters. */
export type KeyMap = Readonly<Record<string, () => void>>;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

/** A space or an Enter on something that can be pressed presses it. */
function pressesTarget(event: KeyboardEvent): boolean {
  const pressable =
    event.target instanceof Element && event.target.closest("button, a, [role=option], summary") !== null;
  return pressable && (event.key === " " || event.key === "Enter");
}

/** Single-key shortcuts of a page: silent while somebody types, holds a modifier or has a dialog open. */
export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || pressesTarget(event)) return;
      // A dialog over the page has the keyboard to itself.
      if (document.querySelector("[aria-modal=true]") !== null) return;
      const act = latest.current[event.key.toLowerCase()];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
