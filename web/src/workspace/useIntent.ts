import { useRef } from "react";
import { newKey } from "../api.ts";

/** Keys of intents: the same words sent again, after a failure, are the same intent. */
export function useIntent(): (asked: unknown) => string {
  const last = useRef({ of: "", key: "" });
  return (asked) => {
    const of = JSON.stringify(asked);
    if (last.current.of !== of) last.current = { of, key: newKey() };
    return last.current.key;
  };
}
