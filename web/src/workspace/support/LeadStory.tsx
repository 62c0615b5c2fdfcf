import { queryOptions, useQuery } from "@tanstack/react-query";
import { get } from "../../api.ts";
import type { LeadStory as Told } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";

const storyQuery = (leadId: string, position: number) =>
  queryOptions({
    queryKey: ["lead-story", leadId, position],
    queryFn: ({ signal }) => get<Told>(`/api/v0/workspace/leads/${encodeURIComponent(leadId)}/story`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The history in a paragraph; `events` is how many there are, so that it is told anew after the next. */
export function LeadStory({ leadId, events }: { leadId: string; events: number }) {
  const { t } = useI18n();
  const { data } = useQuery(storyQuery(leadId, events));
  if (data === undefined || data.story === "") return null;
  return (
    <details className="story">
      <summary>{t("queues.story")}</summary>
      <p>{data.story}</p>
    </details>
  );
}
