import "../recordPages.css";
import "./feeds.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import type { ImportRuns } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useFailureToast } from "../failure.ts";
import { Icon } from "../icon.tsx";
import { useKeys } from "../keys.ts";
import { usePastMoment } from "../pastMoment.ts";
import { Bone, Empty, NothingFound, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { FeedTable } from "./FeedTable.tsx";
import { dropUpload, type FeedUploadLine, runsQuery, uploadsQuery } from "./feedCalls.ts";
import type { FeedsFilters } from "./feedsFilters.ts";
import { RunTable } from "./RunTable.tsx";
import { ScheduleDialog } from "./ScheduleDialog.tsx";

const route = getRouteApi("/workspace/feeds");

const NONE: FeedsFilters = { feed: null, before: null };

/** Feeds and their runs: which file was read for which feed, for whom, and what became of it. */
export function FeedsPage() {
  const { t } = useI18n();
  const filters = route.useSearch();
  const asked = useQuery(runsQuery(filters));
  const navigate = route.useNavigate();
  const show = (change: Partial<FeedsFilters>) => void navigate({ search: { ...filters, before: null, ...change } });
  useEffect(() => {
    document.title = `${t("imports.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("imports.title")}</h1>
        <p className="muted grow">{t("imports.text")}</p>
        <NewActs />
      </div>
      <div className="scroll pad stackv" data-list-scroll>
        <OpenUploads />
        <FeedTable />
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? (
          asked.error === null ? (
            <RunsOnTheirWay />
          ) : null
        ) : (
          <Runs page={asked.data} filters={filters} onShow={show} />
        )}
      </div>
    </main>
  );
}

/** An address to read again and again, or a file to import now: N begins the import. */
function NewActs() {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const navigate = route.useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  useKeys(isPast ? {} : { n: () => void navigate({ to: "/workspace/feeds/new", search: {} }) });
  if (isPast) return null;
  return (
    <div className="row wrapx">
      <button type="button" className="btn" onClick={() => setIsOpen(true)}>
        {t("imports.add_address")}
      </button>
      <Link className="btn pri" to="/workspace/feeds/new" search={{}}>
        <Icon name="upload" size="s" />
        {t("imports.new")}
      </Link>
      {isOpen ? <ScheduleDialog name={null} feed={undefined} onClose={() => setIsOpen(false)} /> : null}
    </div>
  );
}

/** Files that were uploaded and have not ended: each leads back to its step. */
function OpenUploads() {
  const { t } = useI18n();
  const { data } = useQuery(uploadsQuery);
  const open = (data?.uploads ?? []).filter(isOpen);
  if (open.length === 0) return null;
  return (
    <ul className="fd-box fd-open" aria-label={t("imports.open_uploads")}>
      {open.map((upload) => (
        <OpenUpload key={upload.upload_id} upload={upload} />
      ))}
    </ul>
  );
}

/** One of them: back to its step, or away with it. */
function OpenUpload({ upload }: { upload: FeedUploadLine }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const failed = useFailureToast();
  const isPast = usePastMoment() !== null;
  const { upload_id: id, feed, file, by_name, stage } = upload;
  const press = useOnePress({
    mutationFn: () => dropUpload(id),
    onError: failed,
    onSettled: () => void client.invalidateQueries({ queryKey: uploadsQuery.queryKey }),
  });
  const isBusy = stage === "waiting" || stage === "running";
  return (
    <li className="row wrapx">
      <Icon name="clock" size="s" />
      <span className="grow">{t("imports.upload_of", { feed, file, name: by_name || t("imports.by_former") })}</span>
      <Link className="btn sm" to="/workspace/feeds/new" search={{ upload: id }}>
        {t("imports.go_on")}
        <span className="vh"> {feed}</span>
      </Link>
      <button
        type="button"
        className="btn quiet sm"
        disabled={isPast || isBusy || press.isPending}
        onClick={() => press.send()}
      >
        {t("imports.discard")}
        <span className="vh"> {feed}</span>
      </button>
    </li>
  );
}

/** An import that has ended is a run in the list. */
const isOpen = ({ work, stage }: FeedUploadLine) => work !== "import" || stage !== "done";

/** Rows of the size of runs, while they are on their way. */
function RunsOnTheirWay() {
  return (
    <div className="fd-box fd-bones" aria-hidden="true">
      {[240, 180, 210].map((width) => (
        <div key={width}>
          <Bone width={width} />
          <Bone width={width - 60} look="s" />
        </div>
      ))}
    </div>
  );
}

interface RunsProps {
  page: ImportRuns;
  filters: FeedsFilters;
  onShow: (change: Partial<FeedsFilters>) => void;
}

function Runs({ page, filters, onShow }: RunsProps) {
  const { t } = useI18n();
  const heading = useId();
  if (page.feeds.length === 0) return <Empty title={t("imports.none")}>{t("imports.none_text")}</Empty>;
  return (
    <section aria-labelledby={heading}>
      <div className="fd-head">
        <h2 id={heading}>{t("imports.runs")}</h2>
        {page.feeds.length > 1 || filters.feed !== null ? (
          <FeedFilter feeds={page.feeds} feed={filters.feed} onShow={onShow} />
        ) : null}
      </div>
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
        <RunTable runs={page.runs} />
      )}
      <div className="row acts16">
        {filters.before === null ? null : (
          <button type="button" className="btn" onClick={() => onShow({ before: null })}>
            {t("imports.newest")}
          </button>
        )}
        {typeof page.next === "number" ? (
          <button type="button" className="btn" onClick={() => onShow({ before: page.next })}>
            {t("imports.older")}
          </button>
        ) : null}
      </div>
    </section>
  );
}

interface FeedFilterProps {
  feeds: string[];
  feed: string | null;
  onShow: (change: Partial<FeedsFilters>) => void;
}

function FeedFilter({ feeds, feed, onShow }: FeedFilterProps) {
  const { t } = useI18n();
  const isListed = feed === null || feeds.includes(feed);
  return (
    <label className={feed === null ? "pill w-pick" : "pill w-pick on"}>
      {t("imports.feed")}
      <select value={feed ?? ""} onChange={(event) => onShow({ feed: event.target.value || null })}>
        <option value="">{t("imports.all_feeds")}</option>
        {(isListed ? feeds : [feed, ...feeds]).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
