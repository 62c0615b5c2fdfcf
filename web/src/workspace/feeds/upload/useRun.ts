import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { beginRun, type FeedUpload, type RunAsked } from "../feedCalls.ts";

/** Begins a dry run or an import of an upload; the same press again, after a failure, begins one. */
export function useRun(id: string, onArrived: (upload: FeedUpload) => void) {
  const keyOf = useIntent();
  return useOnePress<FeedUpload, RunAsked>({
    mutationFn: (asked) => beginRun(id, asked, keyOf(asked)),
    onSuccess: onArrived,
  });
}
