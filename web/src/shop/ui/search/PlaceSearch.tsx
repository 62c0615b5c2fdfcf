import "../../styles/combobox.css";
import { type KeyboardEvent, useEffect, useId, useReducer, useRef, useState } from "react";
import { get } from "../../../api.ts";
import type { SuggestItem, SuggestResult } from "../../../contract/wire.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { useChrome } from "../../../pageContext.ts";
import * as paths from "../../../paths.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { navigate } from "../../navigation.ts";
import type { Answer, Group, SuggestList } from "./SuggestList.tsx";
import { Ticker } from "./Ticker.tsx";

const typingPauseMs = 120;

/** The place search: city, area, university or home. Enter takes the marked answer, or the first to what is typed. */
export function PlaceSearch({ autoFocus = false, onGone }: { autoFocus?: boolean; onGone?: () => void }) {
  const { t } = useI18n();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { text, open, at, groups, answer, type, show, close, go, search, onKey } = useSearch(autoFocus, onGone);
  useOutside(box, open && !autoFocus, close);
  const { List, failed } = useList(open, text);
  return (
    <div className={`bigsearch${open ? " open" : ""}`} ref={box}>
      <div className="bigsearch-in">
        <IconButton
          icon="chev-l"
          label={t("shell.close_search")}
          className="bs-back"
          onClick={() => (onGone ? onGone() : close())}
        />
        <span className="soft bs-lens">
          <Icon name="search" />
        </span>
        <SearchInput
          {...{ id, text, open, autoFocus, onKey }}
          expanded={open && groups.length > 0}
          marked={at}
          onOpen={show}
          onText={type}
        />
        <Ticker />
        <SearchEnd text={text} onClear={() => type("")} onSearch={search} />
      </div>
      {open && List ? <List {...{ id, groups, at, text, answer }} onPick={go} /> : null}
      {open && failed && text.trim() !== "" ? (
        <div className="combo">
          <p className="combo-none soft" role="status">
            {t("shell.places_failed")}
          </p>
        </div>
      ) : null}
    </div>
  );
}

/** The list of answers, null until its code has come: fetched after the first page, and asked for again when it is wanted. */
function useList(isWanted: boolean, text: string): { List: typeof SuggestList | null; failed: boolean } {
  const [code, setCode] = useState<typeof import("./SuggestList.tsx") | "failed" | null>(null);
  const isMissing = code === null || code === "failed";
  // biome-ignore lint/correctness/useExhaustiveDependencies: code that could not be fetched is asked for again when it is wanted
  useEffect(() => {
    if (isMissing) import("./SuggestList.tsx").then(setCode, () => setCode("failed"));
  }, [isMissing, isWanted, text]);
  return isMissing ? { List: null, failed: code === "failed" } : { List: code.SuggestList, failed: false };
}

/** What is typed, what it may become, and what the keys do with it. */
function useSearch(opens: boolean, onGone: (() => void) | undefined) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(opens);
  const [marked, setMarked] = useState<string | null>(null);
  const [waits, setWaits] = useState(false);
  const { groups, answer, askAgain } = useSuggestions(text, open);
  const items = groups.flatMap((group) => group.items);
  // Answers change while one types: the mark stays on its place, or goes with it.
  const at = items.findIndex(({ href }) => href === marked);
  const show = () => setOpen(true);
  const type = (typed: string) => {
    setText(typed);
    setMarked(null);
    setWaits(false);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setMarked(null);
    setWaits(false);
  };
  const go = (item: SuggestItem | undefined) => {
    if (!item) return;
    close();
    setText("");
    onGone?.();
    void navigate(item.href);
  };
  const search = () => {
    setOpen(true);
    if (answer === "failed") askAgain();
    setWaits(text.trim() !== "");
  };
  // What is listed may still answer an earlier text: only the answer to what is typed now is gone to.
  useEffect(() => {
    if (!waits || answer === "none_yet") return;
    setWaits(false);
    go(items[0]);
  });
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && items.length > 0) {
      const next = at < 0 && step < 0 ? items.length - 1 : (at + step + items.length) % items.length;
      event.preventDefault();
      setOpen(true);
      setMarked(items[next]?.href ?? null);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (at >= 0) go(items[at]);
      else search();
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    }
  };
  return { text, open, at, groups, answer, type, show, close, go, search, onKey };
}

function SearchEnd({ text, onClear, onSearch }: { text: string; onClear: () => void; onSearch: () => void }) {
  const { t } = useI18n();
  return (
    <>
      {text ? (
        <IconButton icon="x" size={20} label={t("shell.clear_search")} className="bs-clear" onClick={onClear} />
      ) : null}
      <button type="button" className="btn btn-primary" onClick={onSearch}>
        <span className="only-wide">{t("shell.search")}</span>
        <span className="only-narrow">{t("shell.go")}</span>
      </button>
    </>
  );
}

interface SearchInputProps {
  id: string;
  text: string;
  open: boolean;
  autoFocus: boolean;
  expanded: boolean;
  /** Place of the marked answer; −1 for none. */
  marked: number;
  onOpen: () => void;
  onText: (typed: string) => void;
  onKey: (event: KeyboardEvent) => void;
}

function SearchInput(props: SearchInputProps) {
  const { t } = useI18n();
  const { id } = props;
  return (
    <>
      <label className="vh" htmlFor={`${id}-q`}>
        {t("shell.search_label")}
      </label>
      <input
        id={`${id}-q`}
        role="combobox"
        aria-expanded={props.expanded}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={props.marked >= 0 ? `${id}-option-${props.marked}` : undefined}
        // Closed, the rotating words stand in its place.
        placeholder={props.open ? t("shell.search_label") : " "}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the reader has just opened the search to type
        autoFocus={props.autoFocus}
        value={props.text}
        onFocus={props.onOpen}
        onChange={(event) => props.onText(event.target.value)}
        onKeyDown={props.onKey}
      />
    </>
  );
}

interface Suggestions {
  groups: Group[];
  answer: Answer;
  askAgain: () => void;
}

function useSuggestions(text: string, open: boolean): Suggestions {
  const { t, lang } = useI18n();
  const format = useFormat();
  const { countries } = useChrome();
  const [found, setFound] = useState<{ q: string; result: SuggestResult | null } | null>(null);
  const [attempt, countUp] = useReducer((n: number) => n + 1, 0);
  const q = text.trim();
  // D54: three characters, two in Chinese, before anything is asked.
  const enough = q.length >= (/[\u3400-\u9fff]/.test(q) ? 2 : 3);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same again
  useEffect(() => {
    if (!open || !enough) return;
    const stop = new AbortController();
    const timer = window.setTimeout(() => {
      const ask = get("/api/v0/search/suggest", { query: { q, lang }, signal: stop.signal });
      ask.then(
        (result) => setFound({ q, result }),
        () => stop.signal.aborted || setFound({ q, result: null }),
      );
    }, typingPauseMs);
    return () => {
      window.clearTimeout(timer);
      stop.abort();
    };
  }, [q, enough, open, lang, attempt]);
  const askAgain = () => {
    setFound(null);
    countUp();
  };
  if (!enough) {
    const popular = countries.flatMap(({ name, cities }) => cities.slice(0, 2).map((city) => asItem(city, name)));
    return {
      groups: [{ key: "popular", label: t("shell.popular"), icon: "pin", items: popular.slice(0, 6) }],
      answer: "none_yet",
      askAgain,
    };
  }
  const { cities = [], areas = [], universities = [], properties = [] } = found?.result ?? {};
  const homes = (n: number) => t("shell.homes", { n, count: format.number(n) });
  const groups: Group[] = [
    { key: "places", label: t("shell.group_places"), icon: "pin" as const, items: [...cities, ...areas], count: homes },
    {
      key: "universities",
      label: t("shell.group_universities"),
      icon: "cap" as const,
      items: universities,
      count: (n: number) => t("shell.nearby", { n: format.number(n) }),
    },
    { key: "homes", label: t("shell.group_homes"), icon: "building" as const, items: properties },
  ].filter((group) => group.items.length > 0);
  const isNow = found?.q === q;
  const answer = !isNow ? "none_yet" : found.result === null ? "failed" : groups.length === 0 ? "nothing" : "some";
  return { groups, answer, askAgain };
}

function asItem(city: { id: string; name: string; canonical_name: string }, country: string): SuggestItem {
  return { ...city, context: country, href: paths.search(city.canonical_name), homes: null };
}

function useOutside(box: { current: HTMLElement | null }, active: boolean, onOutside: () => void): void {
  useEffect(() => {
    if (!active) return;
    const listen = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onOutside();
    };
    document.addEventListener("pointerdown", listen);
    document.addEventListener("focusin", listen);
    return () => {
      document.removeEventListener("pointerdown", listen);
      document.removeEventListener("focusin", listen);
    };
  });
}
