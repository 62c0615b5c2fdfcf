import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { LeadTimeline, TimelineEvent } from "../../contract/wire.ts";
import { listenWhileSeen } from "../../seenStream.ts";
import { streamBroke } from "../connection.ts";
import { usePastMoment } from "../pastMoment.ts";
import { EVENTS_PER_PAGE, eventsAfter, eventsQuery, streamUrl } from "../queries.ts";
import { History } from "./refold.ts";
import { dropRevealed } from "./revealed.ts";

/** After this event nothing that names the person is right any more, in a tab that was open before either. */
const ERASED = "SubjectForgotten";

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
  useEffect(() => (live ? undefined : streamBroke()), [live]);
  const latest = useRef(history);
  useEffect(() => {
    latest.current = history;
  }, [history]);
  const isLong = timeline.outline !== null;
  const isPast = usePastMoment() !== null;
  useEffect(() => {
    // What is recorded now comes after an earlier state.
    if (isPast) return;
    const grow = (events: readonly TimelineEvent[]) => {
      const grown = events.reduce((known, event) => known.with(event), latest.current);
      latest.current = grown;
      setHistory(grown);
      if (!events.some(({ type }) => type === ERASED)) return;
      dropRevealed(client, leadId);
      void client.invalidateQueries({ queryKey: ["timeline", leadId] });
    };
    // A long history is not sent again for the sake of its last events.
    const fetchAgain = isLong
      ? () => void eventsAfter(leadId, latest.current.last).then(({ events }) => grow(events), ignoreGap)
      : () => void client.invalidateQueries({ queryKey: ["timeline", leadId] });
    const event = (data: string) => {
      const told: TimelineEvent = JSON.parse(data);
      if (told.n > latest.current.last + 1) return fetchAgain();
      grow([told]);
    };
    const opened = () => {
      setLive(true);
      // What was recorded before the line stood, the first time too, was not heard.
      fetchAgain();
    };
    return listenWhileSeen(streamUrl(leadId), { events: { event }, opened, broke: () => setLive(false) });
  }, [client, leadId, isLong, isPast]);
  usePages(leadId, history, latest, setHistory);
  return { history, live };
}

/** The next event shows the gap again. */
function ignoreGap(): void {}

/** How long looks are gathered before their pages are fetched, and how many pages then: a scrub passes most of them by. */
const GATHER_MS = 60;
const PAGES = 3;

/** Fetches the pages of a long history in which somebody looks for an event, the latest looks first. */
function usePages(
  leadId: string,
  history: History,
  latest: RefObject<History>,
  setHistory: (history: History) => void,
): void {
  const client = useQueryClient();
  const wanted = useRef(new Set<number>());
  const timer = useRef<number | null>(null);
  useEffect(() => {
    const load = () => {
      timer.current = null;
      const pages = [...wanted.current].slice(-PAGES).reverse();
      wanted.current.clear();
      for (const page of pages) {
        const arrived = ({ events }: { events: TimelineEvent[] }) => {
          const known = latest.current.withPage(events);
          latest.current = known;
          setHistory(known);
        };
        // A page that does not come is fetched at the next look.
        client.fetchQuery(eventsQuery(leadId, page)).then(arrived, ignoreGap);
      }
    };
    history.onMissed((n) => {
      const page = Math.floor((n - 1) / EVENTS_PER_PAGE);
      wanted.current.delete(page);
      wanted.current.add(page);
      timer.current ??= window.setTimeout(load, GATHER_MS);
    });
  }, [client, leadId, history, latest, setHistory]);
  useEffect(
    () => () => {
      if (timer.current !== null) window.clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
}
