import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { streamBroke } from "../connection.ts";
import { usePastMoment } from "../pastMoment.ts";
import { shareStream } from "../sharedStream.ts";
import { liveUrl, refreshLists } from "./queueCalls.ts";

interface Counts {
  newest: number;
  views: Record<string, number>;
}

/** How many leads each view holds, told by the desk's stream; null until it has spoken. What changed is asked anew. */
export function useDeskLive(): Record<string, number> | null {
  const client = useQueryClient();
  const [counts, setCounts] = useState<Counts | null>(null);
  const [live, setLive] = useState(true);
  useEffect(() => (live ? undefined : streamBroke()), [live]);
  const isPast = usePastMoment() !== null;
  useEffect(() => {
    // The stream tells of now: an earlier state counts by its own answer.
    if (isPast) return;
    let newest: number | null = null;
    const counts = (data: string) => {
      const told: Counts = JSON.parse(data);
      setCounts(told);
      // The first time too: what happened between the reading of the lists and the opening of the stream is told by nothing else.
      if (told.newest !== newest) refreshLists(client);
      newest = told.newest;
    };
    return shareStream(liveUrl(null), {
      events: { counts },
      opened: () => setLive(true),
      broke: () => setLive(false),
    });
  }, [client, isPast]);
  return isPast ? null : (counts?.views ?? null);
}
