import { useEffect, useRef, useState } from "react";
import type { InventoryCard } from "../../contract/wire.ts";
import { fetchPage, type PageOf } from "../../page.ts";
import { withPage } from "./filters.ts";

interface Loaded {
  homes: readonly InventoryCard[];
  /** The page that comes next, null at the end. */
  next: number | null;
}

// What was appended belongs to the page it was appended to: Back brings the same page object, and its list with it.
const appended = new WeakMap<PageOf<"search">["data"], Loaded>();

/** The first this many further pages come by scrolling; after that the reader asks, so that the footer can be reached. */
const pagesByScroll = 2;

/** The results shown so far, and how to get the next page of them. */
export function useResults(page: PageOf<"search">) {
  const first: Loaded = { homes: page.data.search.result, next: page.data.search.meta.next };
  const [, redraw] = useState(0);
  const [state, setState] = useState<"still" | "loading" | "failed">("still");
  const [failure, setFailure] = useState<unknown>(null);
  const end = useRef<HTMLDivElement>(null);
  const { homes, next } = appended.get(page.data) ?? first;
  const running = useRef(false);

  const more = () => {
    if (next === null || running.current) return;
    running.current = true;
    setState("loading");
    fetchPage(withPage(page.url, next))
      .then((answer) => {
        if (answer.route !== "search") throw new Error("not a list");
        const known = new Set(homes.map(({ id }) => id));
        const { result, meta } = answer.data.search;
        appended.set(page.data, { homes: [...homes, ...result.filter(({ id }) => !known.has(id))], next: meta.next });
        setState("still");
        redraw((n) => n + 1);
      })
      .catch((cause) => {
        setFailure(cause);
        setState("failed");
      })
      .finally(() => {
        running.current = false;
      });
  };
  const byScroll = next !== null && next <= pagesByScroll + page.data.search.meta.current_page && state === "still";
  useNear(end, byScroll, more);
  return { homes, next, more, end, loading: state === "loading", failure: state === "failed" ? failure : null };
}

function useNear(element: { current: HTMLElement | null }, active: boolean, onNear: () => void): void {
  const latest = useRef(onNear);
  latest.current = onNear;
  useEffect(() => {
    const box = element.current;
    if (!box || !active) return;
    // A hurried scroll ends below the list: whatever lies above the window counts as near. Of several entries the last is now.
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && latest.current(), {
      rootMargin: "1000000px 0px 300px 0px",
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, active]);
}
