import { useCallback } from "react";
import type { TimelineEvent } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { inWords } from "../StatusRing.tsx";

/** An event in one sentence; one the catalogue has no words for yet is named by its type. */
export function useSentence(): (event: Pick<TimelineEvent, "sentence" | "type">) => string {
  const { tData } = useI18n();
  return useCallback(
    (event) => {
      const { key, params } = event.sentence;
      const said = tData(key, params);
      return said === key ? inWords(event.type) : said;
    },
    [tData],
  );
}
