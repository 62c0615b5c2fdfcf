import { useEffect, useState } from "react";
import { ApiError } from "../../api.ts";
import type { CallOptions } from "../../contract/calls.ts";

/** An answer on its way, there, or not to be had; `status` is HTTP's, 0 where the server was not reached. */
export type Asked<T> = { at: "loading" } | { at: "failed"; status: number } | { at: "there"; answer: T };

/** Asks the server when the page opens or `subject` changes; `put` takes in a newer answer, `again` asks anew. */
export function useAsked<T>(
  subject: string,
  ask: (options: CallOptions) => Promise<T>,
): { asked: Asked<T>; again: () => void; put: (answer: T) => void } {
  const [asked, setAsked] = useState<Asked<T>>({ at: "loading" });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again, and the subject says what is asked
  useEffect(() => {
    const leaving = new AbortController();
    ask({ signal: leaving.signal, fresh: true }).then(
      (answer) => setAsked({ at: "there", answer }),
      (failure: unknown) => {
        if (leaving.signal.aborted) return;
        setAsked({ at: "failed", status: failure instanceof ApiError ? failure.status : 0 });
      },
    );
    return () => leaving.abort();
  }, [subject, round]);
  const again = () => {
    setAsked({ at: "loading" });
    setRound((last) => last + 1);
  };
  return { asked, again, put: (answer) => setAsked({ at: "there", answer }) };
}
