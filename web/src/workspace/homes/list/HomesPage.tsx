import "../../recordPages.css";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { serverNow } from "../../../serverClock.ts";
import { Icon } from "../../icon.tsx";
import { useKeys } from "../../keys.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { Empty, NothingFound, Stopped, useSlow } from "../../TableStates.tsx";
import { leaveOnEnter, useSearchWords } from "../../useSearchWords.ts";
import { useStaying } from "../../useStaying.ts";
import { type HomeList, type HomeRow, homesQuery } from "../homeCalls.ts";
import { CHANGED_DAYS, HOME_STATES, type HomesFilters, homesFilters, LACKS, NO_FILTERS } from "../homesFilters.ts";
import { HomesBulk } from "./HomesBulk.tsx";
import { HomeTable, LoadingHomes } from "./HomeTable.tsx";

const route = getRouteApi("/workspace/homes");

const DAY_MS = 86_400_000;

/** What the server is asked: days back become the day from which on. */
function listQuery({ days, ...filters }: HomesFilters) {
  const since = days === null ? null : new Date(serverNow() - days * DAY_MS).toISOString().slice(0, 10);
  return { ...filters, changed_since: since, limit: 50 };
}

function toggled(marked: ReadonlySet<string>, homeId: string): ReadonlySet<string> {
  const next = new Set(marked);
  if (!next.delete(homeId)) next.add(homeId);
  return next;
}

/** All homes of the house: found by words, narrowed by state and facts, and acted on one by one or several at a time. */
export function HomesPage() {
  const { t } = useI18n();
  const filters = homesFilters(route.useSearch());
  const navigate = route.useNavigate();
  const list = useQuery(homesQuery(listQuery(filters)));
  const rows = list.data?.homes ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [isPausing, setPausing] = useState(false);
  const selected = rows.find((row) => row.home_id === chosen);
  const mark = (homeId: string) => setMarked(toggled(marked, homeId));
  const step = (by: number) => {
    const at = rows.findIndex((row) => row.home_id === selected?.home_id);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next !== undefined) setChosen(next.home_id);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    enter: () =>
      selected && void navigate({ to: "/workspace/homes/$homeId", params: { homeId: selected.home_id }, search: {} }),
    "/": () => document.getElementById("home-search")?.focus(),
    n: () => void navigate({ to: "/workspace/homes/new" }),
    x: () => selected && mark(selected.home_id),
    p: () => {
      if (selected !== undefined && marked.size === 0) mark(selected.home_id);
      setPausing(selected !== undefined || marked.size > 0);
    },
  });
  useEffect(() => {
    document.title = `${t("homes.title")} · ${t("workspace.title")}`;
  }, [t]);
  const slow = useSlow(list.isPending);
  return (
    <main className="main" id="work">
      <Top filters={filters} />
      <States filters={filters} list={list.data} />
      <Filters filters={filters} list={list.data} />
      <div className="scroll homes-scroll" data-list-scroll>
        {list.error === null ? null : (
          <Stopped error={list.error} fetchedAt={list.dataUpdatedAt} onRetry={() => void list.refetch()} />
        )}
        {list.data === undefined ? (
          slow && list.error === null ? (
            <LoadingHomes />
          ) : null
        ) : rows.length === 0 ? (
          <None filters={filters} />
        ) : (
          <HomeTable
            rows={rows}
            old={list.error !== null}
            selected={selected}
            marked={marked}
            onChoose={setChosen}
            onMark={mark}
            onMarkAll={() => setMarked(new Set(marked.size < rows.length ? rows.map((row) => row.home_id) : []))}
          />
        )}
        {list.data === undefined ? null : <Turning filters={filters} next={list.data.next} />}
      </div>
      <Marked
        homes={rows.filter((row) => marked.has(row.home_id))}
        isPausing={isPausing}
        onPaused={() => setPausing(false)}
        onClear={() => setMarked(new Set())}
      />
      <Keys />
    </main>
  );
}

interface MarkedProps {
  homes: HomeRow[];
  isPausing: boolean;
  onPaused: () => void;
  onClear: () => void;
}

function Marked({ homes, ...rest }: MarkedProps) {
  return homes.length === 0 ? null : <HomesBulk homes={homes} {...rest} />;
}

function Top({ filters }: { filters: HomesFilters }) {
  const { t } = useI18n();
  const navigate = route.useNavigate();
  const isStaying = useStaying();
  const isPast = usePastMoment() !== null;
  const [words, setWords] = useSearchWords(filters.q, (q) => {
    if (isStaying()) void navigate({ search: { ...filters, q, after: null }, replace: true });
  });
  return (
    <div className="lead-top">
      <h1>{t("homes.title")}</h1>
      <label className="field big" htmlFor="home-search">
        <Icon name="search" />
        <span className="vh">{t("homes.search")}</span>
        <input
          id="home-search"
          type="search"
          placeholder={t("homes.search_hint")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={leaveOnEnter}
        />
        <kbd>/</kbd>
      </label>
      {isPast ? null : (
        <Link className="btn pri" to="/workspace/homes/new">
          <Icon name="plus" size="s" />
          {t("homes.add")}
        </Link>
      )}
    </div>
  );
}

/** States as quick views, with how many homes each holds. */
function States({ filters, list }: { filters: HomesFilters; list: HomeList | undefined }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const counts = list?.counts ?? {};
  const all = HOME_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  const shown = HOME_STATES.filter((state) => (counts[state] ?? 0) > 0 || state === filters.state);
  const view = (state: HomesFilters["state"], name: string, count: number) => (
    <Link
      key={name}
      to="/workspace/homes"
      search={{ ...filters, state, after: null }}
      aria-current={state === filters.state ? "page" : undefined}
    >
      {name} {list === undefined ? null : <span>{number(count)}</span>}
    </Link>
  );
  return (
    <nav className="tabs" aria-label={t("homes.states")}>
      {view(null, t("homes.all"), all)}
      {shown.map((state) => view(state, t(`homes.state_${state}`), counts[state] ?? 0))}
    </nav>
  );
}

/** Filters as chips: each says its value, and how many homes it would leave where that is known. */
function Filters({ filters, list }: { filters: HomesFilters; list: HomeList | undefined }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const navigate = route.useNavigate();
  const narrow = (change: Partial<HomesFilters>) => void navigate({ search: { ...filters, ...change, after: null } });
  const isNarrowed = Object.entries(filters).some(([name, value]) => name !== "after" && value !== null);
  return (
    <div className="w-bar">
      {filters.provider === null && (list?.providers ?? []).length === 0 ? null : (
        <Choice
          name={t("homes.provider")}
          value={filters.provider}
          options={(list?.providers ?? []).map((one) => [one, one])}
          onChoose={(provider) => narrow({ provider })}
        />
      )}
      <Choice
        name={t("homes.city")}
        value={filters.city}
        options={listCities(list)}
        onChoose={(city) => narrow({ city })}
      />
      <Choice
        name={t("homes.feed")}
        value={filters.feed}
        options={(list?.feeds ?? []).map((one) => [one, one])}
        onChoose={(feed) => narrow({ feed })}
      />
      <Choice
        name={t("homes.changed")}
        value={filters.days === null ? null : String(filters.days)}
        options={CHANGED_DAYS.map((days) => [String(days), t("homes.changed_days", { n: days })])}
        onChoose={(days) => narrow({ days: CHANGED_DAYS.find((one) => String(one) === days) ?? null })}
      />
      {LACKS.map((fact) => (
        <button
          key={fact}
          type="button"
          className={filters.lacks === fact ? "pill on" : "pill"}
          aria-pressed={filters.lacks === fact}
          onClick={() => narrow({ lacks: filters.lacks === fact ? null : fact })}
        >
          {t(`homes.without_${fact}`)} {list === undefined ? null : <b>{number(list.lacking[fact])}</b>}
        </button>
      ))}
      {isNarrowed ? (
        <Link className="link nowrap" to="/workspace/homes">
          {t("support.clear_all")}
        </Link>
      ) : null}
      {list === undefined ? null : (
        <span className="end sub num" role="status">
          {t("homes.count", { n: list.total, shown: number(list.total) })}
        </span>
      )}
    </div>
  );
}

/** Cities of the homes that are shown, by their names. */
function listCities(list: HomeList | undefined): [id: string, name: string][] {
  const cities = (list?.homes ?? []).flatMap(({ city }): [string, string][] =>
    city === null ? [] : [[city.id, city.name]],
  );
  return [...new Map(cities)].toSorted(([, one], [, other]) => one.localeCompare(other));
}

interface ChoiceProps {
  name: string;
  value: string | null;
  options: [value: string, label: string][];
  onChoose: (value: string | null) => void;
}

function Choice({ name, value, options, onChoose }: ChoiceProps) {
  const { t } = useI18n();
  // A value of the address that no home has any more stays chosen.
  const isKnown = value === null || options.some(([one]) => one === value);
  return (
    <label className={value === null ? "pill w-pick" : "pill w-pick on"}>
      <span className={value === null ? "vh" : ""}>{name}</span>
      <select value={value ?? ""} onChange={(event) => onChoose(event.target.value || null)}>
        <option value="">{value === null ? name : t("homes.any")}</option>
        {(isKnown ? options : [[value, value] as const, ...options]).map(([one, label]) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="down" size="xs" />
    </label>
  );
}

function None({ filters }: { filters: HomesFilters }) {
  const { t } = useI18n();
  const isWhole = Object.values(filters).every((value) => value === null);
  const add = (
    <Link className="btn pri" to="/workspace/homes/new">
      {t("homes.add")}
    </Link>
  );
  if (isWhole) {
    return (
      <Empty title={t("homes.none")} actions={add}>
        {t("homes.none_text")}
      </Empty>
    );
  }
  return (
    <NothingFound
      title={filters.q === null ? t("homes.none_in_view") : t("homes.none_found", { q: filters.q })}
      actions={
        <Link className="btn" to="/workspace/homes" search={NO_FILTERS}>
          {t("support.clear_all")}
        </Link>
      }
    >
      {t("homes.none_found_text")}
    </NothingFound>
  );
}

/** The ways to the next page and back to the first; each is a history entry. */
function Turning({ filters, next }: { filters: HomesFilters; next: string | null }) {
  const { t } = useI18n();
  if (next === null && filters.after === null) return null;
  return (
    <nav className="pages" aria-label={t("workspace.pages")}>
      {filters.after === null ? null : (
        <Link className="btn sm" to="/workspace/homes" search={{ ...filters, after: null }}>
          {t("workspace.to_first_page")}
        </Link>
      )}
      {next === null ? null : (
        <Link className="btn sm" to="/workspace/homes" search={{ ...filters, after: next }}>
          {t("workspace.next_page")}
        </Link>
      )}
    </nav>
  );
}

function Keys() {
  const { t } = useI18n();
  return (
    <div className="keys">
      <span>
        <kbd>J</kbd>
        <kbd>K</kbd> {t("workspace.key_move")}
      </span>
      <span>
        <kbd>↵</kbd> {t("homes.key_open")}
      </span>
      <span>
        <kbd>X</kbd> {t("homes.key_choose")}
      </span>
      <span>
        <kbd>P</kbd> {t("homes.key_pause")}
      </span>
      <span>
        <kbd>N</kbd> {t("homes.add")}
      </span>
      <span>
        <kbd>/</kbd> {t("workspace.key_search")}
      </span>
      <span className="end">
        <kbd>?</kbd> {t("workspace.key_all")}
      </span>
    </div>
  );
}
