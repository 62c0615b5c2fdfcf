import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import type { LeadListPage, LeadRow } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { Icon } from "../icon.tsx";
import { useKeys } from "../keys.ts";
import { Pages, PastTheEnd } from "../Pages.tsx";
import { leadsQuery } from "../queries.ts";
import { said } from "../StatusRing.tsx";
import { useMe } from "../session.ts";
import { Empty, NothingFound, Stopped, useSlow } from "../TableStates.tsx";
import { leaveOnEnter, useSearchWords } from "../useSearchWords.ts";
import { useStaying } from "../useStaying.ts";
import { withTexts } from "../withTexts.ts";
import { OpenActs, type Opening } from "./ActsButton.tsx";
import { AttentionViews } from "./Attention.tsx";
import { type ShownList, useHeldRows } from "./heldRows.ts";
import { LeadPeek } from "./LeadPeek.tsx";
import { LeadTable, LoadingLeads } from "./LeadTable.tsx";
import { LeadWhyKey } from "./LeadWhy.tsx";
import { isWhole, listQuery, STATUSES } from "./leadFilterNames.ts";
import { type LeadFilters, leadFilters } from "./leadFilters.ts";
import { useTaking } from "./OwnerButton.tsx";
import { RevealDialog } from "./RevealDialog.tsx";
import { useWide } from "./useWide.ts";

const BulkBar = lazyPart(async () => (await withTexts(import("./BulkBar.tsx"), "acts")).BulkBar);
const LeadViews = lazyPart(async () => (await withTexts(import("./LeadViews.tsx"), "queues")).LeadViews);
const FilterBar = lazyPart(async () => (await withTexts(import("./FilterBar.tsx"), "queues")).FilterBar);
const NewRows = lazyPart(async () => (await withTexts(import("./NewRows.tsx"), "queues")).NewRows);

const route = getRouteApi("/workspace/leads");

function toggled(marked: ReadonlySet<string>, leadId: string): ReadonlySet<string> {
  const next = new Set(marked);
  if (!next.delete(leadId)) next.add(leadId);
  return next;
}

function useTitle() {
  const { t } = useI18n();
  useEffect(() => {
    document.title = `${t("workspace.leads")} · ${t("workspace.title")}`;
  }, [t]);
}

/** The keys that open an act on the chosen lead. */
function keysOfActs(open: (opening: Opening) => void) {
  return {
    m: () => open("menu"),
    n: () => open("note"),
    r: () => open("write"),
    c: () => open("close"),
  };
}

/** All leads a person may see: one search box, quick views by status, the most urgent reply first. */
export function LeadsPage() {
  // Without what else an address may carry: the server refuses parameters that a list does not know.
  const filters = leadFilters(route.useSearch());
  const navigate = route.useNavigate();
  const asking = useLeads(filters);
  const { list, waiting, onShow } = useHeldRows(asking, filters);
  const [chosen, setChosen] = useState<string | null>(null);
  const [revealing, setRevealing] = useState<LeadRow | null>(null);
  const me = useMe();
  const taking = useTaking();
  const [opening, setOpening] = useState<Opening | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const rows = list.data?.result ?? [];
  const wide = useWide(1600);
  const selected = rows.find((row) => row.lead_id === chosen) ?? (wide ? rows[0] : undefined);
  const step = (by: number) => {
    const at = rows.findIndex((row) => row.lead_id === selected?.lead_id);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next !== undefined) setChosen(next.lead_id);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    enter: () => selected && void navigate({ to: "/workspace/leads/$leadId", params: { leadId: selected.lead_id } }),
    "/": () => document.getElementById("lead-search")?.focus(),
    a: () => selected && taking.send({ leadId: selected.lead_id, owner: selected.owner }),
    e: () => me.can.unmask && setRevealing(selected ?? null),
    x: () => selected && setMarked(toggled(marked, selected.lead_id)),
    ...keysOfActs(setOpening),
  });
  useTitle();
  return (
    <main className="main" id="work">
      <Top filters={filters} />
      <Suspense fallback={<div className="needs lead-views" />}>
        <LeadViews filters={filters} />
      </Suspense>
      <AttentionViews filters={filters} counts={list.data?.attention ?? {}} />
      <Views filters={filters} page={list.data} />
      <Suspense fallback={<div className="w-bar" />}>
        <FilterBar filters={filters} page={list.data} />
      </Suspense>
      {waiting === 0 ? null : (
        <Suspense>
          <NewRows count={waiting} onShow={onShow} />
        </Suspense>
      )}
      <div className="w-split">
        <div className="scroll" data-list-scroll>
          <Results
            list={list}
            filters={filters}
            selected={selected}
            marked={marked}
            onChoose={setChosen}
            onMark={(leadId) => setMarked(toggled(marked, leadId))}
          />
        </div>
        {wide && selected !== undefined ? <LeadPeek key={selected.lead_id} lead={selected} /> : null}
      </div>
      <Marked leads={rows.filter((row) => marked.has(row.lead_id))} onClear={() => setMarked(new Set())} />
      <Keys />
      <LeadWhyKey leadId={selected?.lead_id} />
      <OpenActs lead={selected} opening={opening} onClose={() => setOpening(null)} />
      {revealing ? (
        <RevealDialog leadId={revealing.lead_id} reference={revealing.reference} onClose={() => setRevealing(null)} />
      ) : null}
    </main>
  );
}

/** The acts on every marked lead, while there is one. */
function Marked({ leads, onClear }: { leads: LeadRow[]; onClear: () => void }) {
  if (leads.length === 0) return null;
  return (
    <Suspense>
      <BulkBar leads={leads} onClear={onClear} />
    </Suspense>
  );
}

function Top({ filters }: { filters: LeadFilters }) {
  const { t } = useI18n();
  const navigate = route.useNavigate();
  const isStaying = useStaying();
  const [words, setWords] = useSearchWords(filters.q, (q) => {
    if (isStaying()) void navigate({ search: { ...filters, q, view: null, p: null }, replace: true });
  });
  return (
    <div className="lead-top">
      <h1>{t("workspace.leads")}</h1>
      <label className="field big" htmlFor="lead-search">
        <Icon name="search" />
        <span className="vh">{t("support.search_leads")}</span>
        <input
          id="lead-search"
          type="search"
          placeholder={t("support.search_hint")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={leaveOnEnter}
        />
        <kbd>/</kbd>
      </label>
      <Link
        className={filters.mentions === null ? "pill" : "pill on"}
        to="/workspace/leads"
        search={
          filters.mentions === null ? { ...filters, mentions: "me", p: null } : { ...filters, mentions: null, p: null }
        }
        aria-current={filters.mentions === null ? undefined : "true"}
      >
        {t("support.mentions_me")}
      </Link>
    </div>
  );
}

/** Statuses as quick views, with how many leads each holds. */
function Views({ filters, page }: { filters: LeadFilters; page: LeadListPage | undefined }) {
  const { t, tData } = useI18n();
  const { number } = useFormat();
  const counts = page?.counts ?? {};
  const shown = STATUSES.filter((status) => (counts[status] ?? 0) > 0 || status === filters.status);
  const view = (status: string | null, name: string, count: number | undefined) => (
    <Link
      key={name}
      to="/workspace/leads"
      search={{ ...filters, view: null, p: null, status }}
      aria-current={status === filters.status ? "page" : undefined}
    >
      {name} {count === undefined ? null : <span>{number(count)}</span>}
    </Link>
  );
  return (
    <nav className="tabs" aria-label={t("support.views")}>
      {view(null, t("support.all_leads"), totalOf(counts))}
      {shown.map((status) => view(status, said(tData, "support.status_", status), counts[status] ?? 0))}
    </nav>
  );
}

function totalOf(counts: Record<string, number>): number | undefined {
  if (counts.all !== undefined) return counts.all;
  const known = STATUSES.filter((status) => counts[status] !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
}

interface ResultsProps {
  list: ShownList;
  filters: LeadFilters;
  selected: LeadRow | undefined;
  marked: ReadonlySet<string>;
  onChoose: (leadId: string) => void;
  onMark: (leadId: string) => void;
}

function useLeads(filters: LeadFilters) {
  return useQuery(leadsQuery({ ...listQuery(filters), limit: 20 }));
}

function Results({ list, filters, selected, marked, onChoose, onMark }: ResultsProps) {
  const slow = useSlow(list.isPending);
  const { data, error } = list;
  const stopped =
    error === null ? null : (
      <Stopped error={error} fetchedAt={list.dataUpdatedAt} onRetry={() => void list.refetch()} />
    );
  if (data === undefined) return stopped ?? (slow ? <LoadingLeads /> : null);
  if (data.result.length === 0 && data.meta.count > 0) {
    return stopped ?? <PastTheEnd list="/workspace/leads" />;
  }
  if (data.result.length === 0) return stopped ?? <NoLeads filters={filters} counts={data.counts} />;
  return (
    <>
      {stopped}
      <LeadTable
        rows={data.result}
        old={stopped !== null}
        selected={selected}
        marked={marked}
        onChoose={onChoose}
        onMark={onMark}
      />
      <Pages list="/workspace/leads" meta={data.meta} />
    </>
  );
}

function NoLeads({ filters, counts }: { filters: LeadFilters; counts: Record<string, number> }) {
  const { t, tData } = useI18n();
  const { q, status } = filters;
  if (isWhole(filters)) return <Empty title={t("support.empty_title")}>{t("support.empty_text")}</Empty>;
  const others = totalOf(counts) ?? 0;
  const hidden = status !== null && others > 0;
  return (
    <NothingFound
      title={q === null ? t("support.none_in_view") : t("support.none_found", { q })}
      actions={
        <>
          {status === null ? null : (
            <Link className="btn" to="/workspace/leads" search={{ ...filters, view: null, p: null, status: null }}>
              {t("support.without_status")}
            </Link>
          )}
          <Link className="btn quiet" to="/workspace/leads">
            {t("support.clear_all")}
          </Link>
        </>
      }
    >
      {hidden
        ? t("support.hidden_by_status", { status: said(tData, "support.status_", status), n: others })
        : t("support.none_found_text")}
    </NothingFound>
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
        <kbd>↵</kbd> {t("workspace.key_replay")}
      </span>
      <span>
        <kbd>/</kbd> {t("workspace.key_search")}
      </span>
      <span>
        <kbd>A</kbd> {t("support.key_assign")}
      </span>
      <span>
        <kbd>E</kbd> {t("support.key_show")}
      </span>
      <span>
        <kbd>W</kbd> {t("support.key_why")}
      </span>
      <span>
        <kbd>M</kbd> {t("support.acts")}
      </span>
      <span className="end">
        <kbd>?</kbd> {t("workspace.key_all")}
      </span>
    </div>
  );
}
