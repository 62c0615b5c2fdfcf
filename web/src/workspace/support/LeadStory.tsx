import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { PAPERS } from "../../ui/languageTable.ts";

const storyQuery = (leadId: string, position: number, lang: string) =>
  queryOptions({
    queryKey: ["lead-story", leadId, position, lang],
    queryFn: ({ signal }) =>
      get("/api/v0/workspace/leads/{id}/story", { path: { id: leadId }, query: { lang }, signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The history in a paragraph; `events` is how many there are, so that it is told anew after the next. */
export function LeadStory({ leadId, events }: { leadId: string; events: number }) {
  const { t, lang } = useI18n();
  const [chosen, setChosen] = useState<string>(lang);
  const { data } = useQuery(storyQuery(leadId, events, chosen));
  if (data?.story === "") return null;
  if (data === undefined) {
    return <div className="story unseen" aria-hidden="true" style={{ minHeight: 36 }}></div>;
  }
  return (
    <details className="story">
      <summary>{t("queues.story")}</summary>
      <p lang={chosen}>{data.story}</p>
      <select
        className="select"
        aria-label={t("queues.story_language")}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
      >
        {PAPERS.map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </details>
  );
}
