import { useCallback, useEffect, useState } from "react";
import { get } from "../../api.ts";
import type { Activity, ActivityLead } from "../../contract/wire.ts";

/** One tab's list as the server tells it, page after page. */
export interface ActivityState {
  status: "loading" | "failed" | "ready";
  counts: Partial<Activity["counts"]>;
  leads: ActivityLead[];
  shortlisted: Activity["shortlisted"];
  appending: boolean;
  /** Loads the next page; absent on the last. */
  more: (() => void) | null;
  again: () => void;
}

/** Fetches a tab when it is shown; recently viewed homes are this device's own, only the counts are asked for. */
export function useActivity(tab: string): ActivityState {
  const [loaded, setLoaded] = useState<{ tab: string; activity: Activity; leads: ActivityLead[] } | null>(null);
  const [failed, setFailed] = useState(false);
  const [appending, setAppending] = useState(false);
  const [tries, setTries] = useState(0);
  const asked = tab === "recently_viewed" ? "booked" : tab;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is the same question again
  useEffect(() => {
    const leaving = new AbortController();
    setFailed(false);
    // Of a mail about an enquiry that was sent without a login: it is in the list from then on.
    const enquiry = new URLSearchParams(location.search).get("enquiry");
    get("/api/v0/users/activity", { query: { tab: asked, p: 1, enquiry }, fresh: true, signal: leaving.signal }).then(
      (activity) => setLoaded({ tab: asked, activity, leads: activity.leads.result }),
      () => leaving.signal.aborted || setFailed(true),
    );
    return () => leaving.abort();
  }, [asked, tries]);
  const next = loaded?.activity.leads.meta.next ?? null;
  const append = useCallback(() => {
    if (next === null) return;
    setAppending(true);
    get("/api/v0/users/activity", { query: { tab: asked, p: next }, fresh: true })
      .then((activity) =>
        setLoaded((before) => before && { ...before, activity, leads: [...before.leads, ...activity.leads.result] }),
      )
      .catch(() => setFailed(true))
      .finally(() => setAppending(false));
  }, [asked, next]);
  const isShown = loaded?.tab === asked;
  return {
    status: failed ? "failed" : isShown ? "ready" : "loading",
    counts: loaded?.activity.counts ?? {},
    leads: isShown ? (loaded?.leads ?? []) : [],
    shortlisted: isShown ? (loaded?.activity.shortlisted ?? []) : [],
    appending,
    more: isShown && next !== null ? append : null,
    again: () => setTries((count) => count + 1),
  };
}
