import "./imports.css";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useId } from "react";
import type { ImportRun, ImportRuns } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Bone, Empty, NothingFound, Stopped } from "../TableStates.tsx";
import type { ImportFilters } from "./importFilters.ts";
import { importsQuery } from "./importsQuery.ts";
import { RunCard } from "./RunCard.tsx";

const NONE: ImportFilters = { feed: null, before: null };

/** Runs of imports: which file was read for which feed, for whom, and what became of it. */
export function ImportsPage() {
  const { t } = useI18n();
  const filters = useSearch({ from: "/workspace/imports" });
  const asked = useQuery(importsQuery(filters));
  const navigate = useNavigate();
  const show = (change: Partial<ImportFilters>) =>
    void navigate({ to: "/workspace/imports", search: { ...filters, before: null, ...change } });
  useEffect(() => {
    document.title = `${t("imports.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("imports.title")}</h1>
      </div>
      <div className="scroll rm" data-list-scroll>
        <p className="muted">{t("imports.text")}</p>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? (
          asked.error === null ? (
            <RunsOnTheirWay />
          ) : null
        ) : (
          <Page page={asked.data} filters={filters} onShow={show} />
        )}
      </div>
    </main>
  );
}

/** Cards of the size of runs, while they are on their way. */
function RunsOnTheirWay() {
  return (
    <div className="rm-list" aria-hidden="true">
      {[240, 180, 210].map((width) => (
        <div key={width} className="rm-one run-bones">
          <Bone width={width} />
          <Bone width={width - 60} look="s" />
        </div>
      ))}
    </div>
  );
}

interface PageProps {
  page: ImportRuns;
  filters: ImportFilters;
  onShow: (change: Partial<ImportFilters>) => void;
}

function Page({ page, filters, onShow }: PageProps) {
  const { t } = useI18n();
  if (page.feeds.length === 0) return <Empty title={t("imports.none")}>{t("imports.none_text")}</Empty>;
  return (
    <>
      {page.feeds.length > 1 || filters.feed !== null ? (
        <FeedFilter feeds={page.feeds} feed={filters.feed} onShow={onShow} />
      ) : null}
      {page.runs.length === 0 ? (
        <NothingFound
          title={t("imports.none_found")}
          actions={
            <button type="button" className="btn" onClick={() => onShow(NONE)}>
              {t("imports.all")}
            </button>
          }
        >
          {t("imports.none_found_text")}
        </NothingFound>
      ) : (
        <Runs runs={page.runs} />
      )}
      <div className="row run-pages">
        {filters.before === null ? null : (
          <button type="button" className="btn" onClick={() => onShow({ before: null })}>
            {t("imports.newest")}
          </button>
        )}
        {typeof page.next === "number" ? (
          <button type="button" className="btn" onClick={() => onShow({ before: page.next ?? null })}>
            {t("imports.older")}
          </button>
        ) : null}
      </div>
    </>
  );
}

function Runs({ runs }: { runs: ImportRun[] }) {
  return (
    <ul className="rm-list">
      {runs.map((run) => (
        <li key={run.run_id}>
          <RunCard run={run} />
        </li>
      ))}
    </ul>
  );
}

interface FeedFilterProps {
  feeds: string[];
  feed: string | null;
  onShow: (change: Partial<ImportFilters>) => void;
}

function FeedFilter({ feeds, feed, onShow }: FeedFilterProps) {
  const { t } = useI18n();
  const id = useId();
  const isListed = feed === null || feeds.includes(feed);
  return (
    <div className="run-feed">
      <label className="label" htmlFor={id}>
        {t("imports.feed")}
      </label>
      <div className="field">
        <select id={id} value={feed ?? ""} onChange={(event) => onShow({ feed: event.target.value || null })}>
          <option value="">{t("imports.all_feeds")}</option>
          {(isListed ? feeds : [feed, ...feeds]).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
