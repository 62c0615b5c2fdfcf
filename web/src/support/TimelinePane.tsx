import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { TimelineEvent } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { Icon } from "../workspace/icon.tsx";
import { EventRow, type EventRowProps } from "./EventRow.tsx";
import type { History } from "./refold.ts";
import type { ReplayEvent } from "./replayMachine.ts";
import { useSentence } from "./sentence.ts";

/** Above this many events only the rows near the eye exist. */
const ALL_AT_MOST = 150;

interface TimelinePaneProps {
  history: History;
  n: number;
  past: boolean;
  send: (event: ReplayEvent) => void;
  onRaw: (n: number) => void;
  onCopy: () => void;
}

/** Every event as a sentence, the later ones pale; find and a filter for what failed. */
export function TimelinePane({ history, n, past, send, onRaw, onCopy }: TimelinePaneProps) {
  const { t } = useI18n();
  const [words, setWords] = useState("");
  const [failedOnly, setFailedOnly] = useState(false);
  const failed = useMemo(() => history.failures(), [history]);
  const places = usePlaces(history, useDeferredValue(words), failedOnly ? failed : null);
  const chain = useMemo(() => new Set(past ? history.causes(n) : []), [history, n, past]);
  const sentence = useSentence();
  const row = (index: number): EventRowProps | null => {
    const place = places === null ? index + 1 : places[index];
    const event = place === undefined ? undefined : history.event(place);
    if (event === undefined) return null;
    const before = history.event((places === null ? index : places[index - 1]) ?? 0);
    return {
      event,
      sentence: sentence(event),
      mark: markOf(event, n, chain),
      newDay: before?.recorded_at.slice(0, 10) !== event.recorded_at.slice(0, 10),
      firstLater: event.n > n && (before === undefined || before.n <= n),
      onGo: (to) => send({ type: "replay.seek", n: to }),
      onRaw,
      onCopy,
    };
  };
  const count = places === null ? history.last : places.length;
  const current = places === null ? n - 1 : places.findLastIndex((place) => place <= n);
  const List = count > ALL_AT_MOST ? WindowedRows : PlainRows;
  return (
    <section className="pane tl" aria-label={t("support.timeline")}>
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
        <List count={count} current={current} row={row} />
      )}
    </section>
  );
}

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
  const texts = useMemo(() => {
    const known = new WeakMap<TimelineEvent, string>();
    return (event: TimelineEvent) => {
      const text = known.get(event) ?? `${sentence(event)} ${event.actor.label} ${event.type}`.toLowerCase();
      known.set(event, text);
      return text;
    };
  }, [sentence]);
  return useMemo(() => {
    const wanted = words.trim().toLowerCase();
    if (wanted === "") return within;
    const events = within === null ? history.slice(1, history.last) : within.flatMap((n) => history.event(n) ?? []);
    return events.filter((event) => texts(event).includes(wanted)).map((event) => event.n);
  }, [history, words, within, texts]);
}

interface RowsProps {
  count: number;
  /** Index of the row at the moment shown, −1 when it is filtered away. */
  current: number;
  row: (index: number) => EventRowProps | null;
}

function PlainRows({ count, current, row }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const pane = scroller.current;
    const item = pane?.querySelector(`[data-index="${current}"]`);
    if (pane === null || !(item instanceof HTMLElement)) return;
    const above = item.offsetTop - pane.scrollTop;
    const seen = above >= 0 && above + item.offsetHeight <= pane.clientHeight - 40;
    if (!seen) pane.scrollTop = item.offsetTop - Math.max(48, (pane.clientHeight - item.offsetHeight) * 0.62);
  }, [current]);
  return (
    <div className="scroll" ref={scroller}>
      <ol className="evs">
        {Array.from({ length: count }, (_, index) => {
          const props = row(index);
          return props === null ? null : (
            <Item key={props.event.n} index={index}>
              <EventRow {...props} />
            </Item>
          );
        })}
      </ol>
    </div>
  );
}

function Item({ index, children }: { index: number; children: ReactNode }) {
  return <li data-index={index}>{children}</li>;
}

function WindowedRows({ count, current, row }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 76,
    overscan: 8,
  });
  useEffect(() => {
    if (current >= 0) rows.scrollToIndex(current, { align: "center" });
  }, [current, rows]);
  return (
    <div className="scroll" ref={scroller}>
      <ol className="evs" style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const props = row(index);
          return props === null ? null : (
            <li
              key={props.event.n}
              data-index={index}
              ref={rows.measureElement}
              aria-posinset={index + 1}
              aria-setsize={count}
              style={{ position: "absolute", top: 0, left: 0, right: 0, transform: `translateY(${start}px)` }}
            >
              <EventRow {...props} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
