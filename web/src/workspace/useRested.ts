import { useEffect, useState } from "react";

/** Somebody who stops typing this long has asked. */
const RESTS_MS = 250;

/** A text as it was when nobody had typed in it for a moment. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(text), RESTS_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return rested;
}
