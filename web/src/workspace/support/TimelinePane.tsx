import {
  type CSSProperties,
  memo,
  type RefObject,
  type UIEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
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

/** Rows that exist at a time, and by how many the window moves when an end comes near. */
const SPAN = 70;
const SHIFT = 30;

/**
 * A window of rows around the moment shown: it moves with the play head and with the scroll, so a history of any length
 * costs the same. Where in the whole one is, the scrubber tells.
 */
function Rows({ count, current, row }: RowsProps) {
  const pane = useRef<HTMLDivElement>(null);
  const { from, shift } = useWindow(pane, count, current);
  const to = Math.min(count, from + SPAN);
  const hasCome = current >= 0 && typeof row(current) !== "number";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more when the row has come: those above it are as high as they are only then
  useEffect(() => {
    const item = rowAt(pane.current, current);
    if (pane.current !== null && item !== null) bringIntoView(pane.current, item);
  }, [current, hasCome]);
  const onScroll = (event: UIEvent<HTMLDivElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    if (scrollTop < 400 && from > 0) shift(-SHIFT);
    else if (scrollHeight - scrollTop - clientHeight < 400 && to < count) shift(SHIFT);
  };
  return (
    <div className="scroll" ref={pane} onScroll={onScroll}>
      <ol className="evs" style={numbered(placeOf(row(to - 1)))}>
        {Array.from({ length: to - from }, (_, offset) => {
          const props = row(from + offset);
          return (
            <li key={placeOf(props)} data-index={from + offset} aria-posinset={from + offset + 1} aria-setsize={count}>
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

/** First row of the window; moving it keeps what is being read where it is. */
function useWindow(pane: RefObject<HTMLDivElement | null>, count: number, current: number) {
  const around = Math.max(0, Math.min(current - SPAN / 2, count - SPAN));
  const [first, setFirst] = useState(around);
  const [followed, setFollowed] = useState(current);
  const held = useRef<{ index: number; top: number } | null>(null);
  const from = Math.max(0, Math.min(first, count - SPAN));
  if (followed !== current) {
    setFollowed(current);
    if (current >= 0 && (current < from || current >= from + SPAN)) setFirst(around);
  }
  const shift = (by: number) => {
    const next = Math.max(0, Math.min(from + by, count - SPAN));
    const index = Math.max(from, next);
    const item = rowAt(pane.current, index);
    held.current = item === null ? null : { index, top: item.getBoundingClientRect().top };
    setFirst(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the window has moved
  useLayoutEffect(() => {
    const item = held.current === null ? null : rowAt(pane.current, held.current.index);
    if (item !== null && held.current !== null && pane.current !== null) {
      pane.current.scrollTop += item.getBoundingClientRect().top - held.current.top;
    }
    held.current = null;
  }, [from]);
  return { from, shift };
}

function rowAt(pane: HTMLElement | null, index: number): HTMLElement | null {
  const item = pane?.querySelector(`[data-index="${index}"]`);
  return item instanceof HTMLElement ? item : null;
}

/** Leaves some rows above the current one, and does nothing while it can be seen. */
function bringIntoView(pane: HTMLElement, item: HTMLElement): void {
  const above = item.offsetTop - pane.scrollTop;
  const seen = above >= 0 && above + item.offsetHeight <= pane.clientHeight - 40;
  if (!seen) pane.scrollTop = item.offsetTop - Math.max(48, (pane.clientHeight - item.offsetHeight) * 0.62);
}
