import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { LeadTimeline, TimelineEvent } from "../contract/wire.ts";
import { streamUrl } from "../workspace/queries.ts";
import { History } from "./refold.ts";

interface LiveHistory {
  history: History;
  /** `false` while the stream of new events is interrupted; the browser tries again by itself. */
  live: boolean;
}

/** A lead's history that grows while it is looked at. */
export function useLiveHistory(leadId: string, timeline: LeadTimeline): LiveHistory {
  const client = useQueryClient();
  const [source, setSource] = useState(timeline);
  const [history, setHistory] = useState(() => History.of(timeline));
  const [live, setLive] = useState(true);
  if (source !== timeline) {
    // Fetched again, after a gap: never shorter than what was already heard.
    const fetched = History.of(timeline);
    setSource(timeline);
    if (fetched.last >= history.last) setHistory(fetched);
  }
  const latest = useRef(history);
  useEffect(() => {
    latest.current = history;
  }, [history]);
  useEffect(() => {
    const fetchAgain = () => void client.invalidateQueries({ queryKey: ["timeline", leadId] });
    const stream = new EventSource(streamUrl(leadId));
    stream.addEventListener("event", (message: MessageEvent<string>) => {
      const event: TimelineEvent = JSON.parse(message.data);
      if (event.n > latest.current.last + 1) return fetchAgain();
      const grown = latest.current.with(event);
      latest.current = grown;
      setHistory(grown);
    });
    stream.addEventListener("error", () => {
      setLive(false);
    });
    stream.addEventListener("open", () => {
      setLive(true);
      // What was recorded before the line stood, the first time too, was not heard.
      fetchAgain();
    });
    return () => stream.close();
  }, [client, leadId]);
  return { history, live };
}
