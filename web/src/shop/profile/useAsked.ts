import { useEffect, useState } from "react";
import { ApiError, get } from "../../api.ts";

/** An answer on its way, there, or not to be had; `status` is HTTP's, 0 where the server was not reached. */
export type Asked<T> = { at: "loading" } | { at: "failed"; status: number } | { at: "there"; answer: T };

/** Asks the server when the page opens; `put` takes in a newer answer, `again` asks anew. */
export function useAsked<T>(path: string): { asked: Asked<T>; again: () => void; put: (answer: T) => void } {
  const [asked, setAsked] = useState<Asked<T>>({ at: "loading" });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const leaving = new AbortController();
    get<T>(path, { signal: leaving.signal, fresh: true }).then(
      (answer) => setAsked({ at: "there", answer }),
      (failure: unknown) => {
        if (leaving.signal.aborted) return;
        setAsked({ at: "failed", status: failure instanceof ApiError ? failure.status : 0 });
      },
    );
    return () => leaving.abort();
  }, [path, round]);
  const again = () => {
    setAsked({ at: "loading" });
    setRound((last) => last + 1);
  };
  return { asked, again, put: (answer) => setAsked({ at: "there", answer }) };
}
