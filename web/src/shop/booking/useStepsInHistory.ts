import { useEffect, useRef } from "react";

/** The room stands before the first section. */
export const ROOM_STEP = -1;

/**
 * Every step of the form is an entry of the browser's history, so that Back leads one step back and not out of the form.
 * Answers how the page's own Back walks the same way.
 */
export function useStepsInHistory(step: number | null, onGo: (step: number) => void): (() => void) | null {
  const shown = useRef<number | null>(null);
  const first = useRef(0);
  const go = useRef(onGo);
  go.current = onGo;
  useEffect(() => {
    if (step === null || step === shown.current) return;
    const state = { ...asRecord(window.history.state), step };
    if (shown.current === null) first.current = step;
    if (shown.current !== null && step > shown.current) window.history.pushState(state, "");
    else window.history.replaceState(state, "");
    shown.current = step;
  }, [step]);
  useEffect(() => {
    const onPop = (event: PopStateEvent) => {
      const to = stepOf(event.state);
      if (to === null || to === shown.current) return;
      shown.current = to;
      go.current(to);
    };
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, []);
  return step !== null && step > first.current ? () => window.history.back() : null;
}

function stepOf(state: unknown): number | null {
  if (typeof state !== "object" || state === null || !("step" in state)) return null;
  return typeof state.step === "number" ? state.step : null;
}

function asRecord(state: unknown): object {
  return typeof state === "object" && state !== null ? state : {};
}
