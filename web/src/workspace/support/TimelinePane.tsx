import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { TimelineEvent } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";
import { useActorName } from "./actorName.ts";
import { EventRow, type EventRowProps } from "./EventRow.tsx";
import type { History } from "./refold.ts";
import type { ReplayEvent } from "./replayMachine.ts";
import { useSentence } from "./sentence.ts";

interface TimelinePaneProps {
  history: History;
  n: number;
  past: boolean;
  send: (event: ReplayEvent) => void;
  onRaw: (n: number) => void;
  onCopy: (n: number) => void;
}

/** Every event as a sentence, the later ones pale; find and a filter for what failed. */
export const TimelinePane = memo(function TimelinePane({ history, n, past, send, onRaw, onCopy }: TimelinePaneProps) {
  const { t } = useI18n();
  const [words, setWords] = useState("");
  const [failedOnly, setFailedOnly] = useState(false);
  const failed = useMemo(() => history.failures(), [history]);
  const places = usePlaces(history, useDeferredValue(words), failedOnly ? failed : null);
  const chain = useMemo(() => new Set(past ? history.causes(n) : []), [history, n, past]);
  const sentence = useSentence();
  const onGo = useCallback((to: number) => send({ type: "replay.seek", n: to }), [send]);
  useWholeForWords(history, words);
  const row = (index: number): EventRowProps | number => {
    const place = (places === null ? index + 1 : places[index]) ?? 0;
    const event = history.event(place);
    if (event === undefined) return place;
    const before = history.event((places === null ? index : places[index - 1]) ?? 0);
    return {
      event,
      sentence: sentence(event),
      mark: markOf(event, n, chain),
      newDay: before?.recorded_at.slice(0, 10) !== event.recorded_at.slice(0, 10),
      firstLater: event.n > n && (before === undefined || before.n <= n),
      onGo,
      onRaw,
      onCopy,
    };
  };
  const count = places === null ? history.last : places.length;
  const current = places === null ? n - 1 : places.findLastIndex((place) => place <= n);
  return (
    <section className="pane w-tl" aria-label={t("support.timeline")}>
      <header>
        <h2>{t("support.timeline")}</h2>
        <FindField last={history.last} words={words} onChange={setWords} />
        <button
          type="button"
          className="btn sm quiet fail"
          aria-pressed={failedOnly}
          disabled={failed.length === 0}
          onClick={() => setFailedOnly((only) => !only)}
        >
          <Icon name="alert" size="s" />
          {t("support.failed", { n: failed.length })}
        </button>
      </header>
      {count === 0 ? (
        <p className="none muted" role="status">
          {t("support.none_in_history", { words })}
        </p>
      ) : (
        <Rows count={count} current={current} row={row} />
      )}
    </section>
  );
});

function markOf(event: TimelineEvent, n: number, chain: ReadonlySet<number>): EventRowProps["mark"] {
  if (event.n === n) return "cur";
  if (event.n > n) return "later";
  return chain.has(event.n) ? "chain" : "past";
}

function FindField({ last, words, onChange }: { last: number; words: string; onChange: (words: string) => void }) {
  const { t } = useI18n();
  const { number } = useFormat();
  return (
    <label className="field sm">
      <Icon name="search" size="s" />
      <span className="vh">{t("support.find_label")}</span>
      <input
        type="search"
        placeholder={t("support.find_in", { n: last, shown: number(last) })}
        value={words}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

/** The events to show, or `null` for all: those among `within` whose sentence, actor or type holds the words. */
function usePlaces(history: History, words: string, within: number[] | null): number[] | null {
  const sentence = useSentence();
  const actorName = useActorName();
  const texts = useMemo(() => {
    const known = new WeakMap<TimelineEvent, string>();
    return (event: TimelineEvent) => {
      const text = known.get(event) ?? `${sentence(event)} ${actorName(event.actor)} ${event.type}`.toLowerCase();
      known.set(event, text);
      return text;
    };
  }, [sentence, actorName]);
  return useMemo(() => {
    const wanted = words.trim().toLowerCase();
    if (wanted === "") return within;
    const events = within === null ? history.slice(1, history.last) : within.flatMap((n) => history.event(n) ?? []);
    return events.filter((event) => texts(event).includes(wanted)).map((event) => event.n);
  }, [history, words, within, texts]);
}

/** Whoever looks for words looks at every event: those of a long history that are not here yet come page after page. */
function useWholeForWords(history: History, words: string): void {
  useEffect(() => {
    const missing = words.trim() === "" ? null : history.firstMissing();
    if (missing !== null) history.event(missing);
  }, [history, words]);
}

interface RowsProps {
  count: number;
  /** Index of the row at the moment shown, −1 when it is filtered away. */
  current: number;
  /** Its row, or its place while it is still on its way. */
  row: (index: number) => EventRowProps | number;
}

/** What a row takes before it has been measured: a sentence and the line below it. */
const ROW_PX = 56;
/** Rows above and below those that can be seen, so that a fast scroll finds them drawn. */
const BEYOND = 20;

/**
 * Only the rows around what can be seen exist, so a history of any length costs the same. The play head brings its row into
 * view. Where in the whole one is, the scrubber tells.
 */
function Rows({ count, current, row }: RowsProps) {
  const pane = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => pane.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => placeOf(row(index)),
    overscan: BEYOND,
    useFlushSync: false,
  });
  useEffect(() => {
    if (current >= 0 && !isSeen(pane.current, current)) rows.scrollToIndex(current, { align: "center" });
  }, [current, rows]);
  const items = rows.getVirtualItems();
  const last = items.at(-1);
  return (
    <div className="scroll" ref={pane}>
      <ol
        className="evs"
        style={{
          ...numbered(placeOf(row(last?.index ?? 0))),
          paddingTop: items[0]?.start ?? 0,
          paddingBottom: rows.getTotalSize() - (last?.end ?? 0),
        }}
      >
        {items.map(({ index, key }) => {
          const props = row(index);
          return (
            <li key={key} data-index={index} ref={rows.measureElement} aria-posinset={index + 1} aria-setsize={count}>
              {typeof props === "number" ? <Coming n={props} /> : <EventRow {...props} />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function placeOf(row: EventRowProps | number): number {
  return typeof row === "number" ? row : row.event.n;
}

/** An event that is on its way: its number, and as much room as a sentence takes. */
function Coming({ n }: { n: number }) {
  return (
    <div className="ev" aria-busy="true">
      <span className="n num">{n}</span>
      <span className="w-rail" />
      <div className="tx">
        <p className="sent">
          <span className="sk line" style={{ width: "60%" }} />
        </p>
        <p className="sub w-meta">
          <span className="num">…</span>
        </p>
      </div>
    </div>
  );
}

/** Room for the longest event number in the window. */
function numbered(largest: number): CSSProperties {
  return Object.fromEntries([["--digits", String(largest).length]]);
}

/** Whether the row stands wholly in its pane, above the fade at its foot. */
function isSeen(pane: HTMLElement | null, index: number): boolean {
  const item = pane?.querySelector(`[data-index="${index}"]`);
  if (!pane || !item) return false;
  const [shown, its] = [pane.getBoundingClientRect(), item.getBoundingClientRect()];
  return its.top >= shown.top && its.bottom <= shown.bottom - 40;
}
