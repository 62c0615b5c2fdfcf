import "../../recordPages.css";
import "../feeds.css";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { ApiError, buildAddress } from "../../../api.ts";
import type { ImportRun } from "../../../contract/wire.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { FALLBACK } from "../../../i18n/languages.ts";
import { spaceAfter } from "../../../i18n/sentences.ts";
import { PlaceNotice } from "../../AccessPage.tsx";
import { fullMoment } from "../../clock.ts";
import { Icon } from "../../icon.tsx";
import { useKeys } from "../../keys.ts";
import { Bone, Stopped } from "../../TableStates.tsx";
import { runQuery, uploadsQuery } from "../feedCalls.ts";
import { Asker } from "../RunTable.tsx";
import { isRefused, LimitBar, RunChip, usualLimit, VerdictStrip } from "../Verdicts.tsx";
import { DeadPhotos } from "./DeadPhotos.tsx";

const route = getRouteApi("/workspace/feeds/runs/$runId");

/** Signs of a hash that tell one file from another at a glance. */
const HASH_SHOWN = 12;

/** One run: its file, who asked for it, and the verdicts on its homes. */
export function RunPage() {
  const { t } = useI18n();
  const { runId } = route.useParams();
  const navigate = route.useNavigate();
  const asked = useQuery(runQuery(runId));
  useKeys({ escape: () => void navigate({ to: "/workspace/feeds" }) });
  useEffect(() => {
    document.title = `${asked.data?.feed ?? t("imports.title")} · ${t("workspace.title")}`;
  }, [t, asked.data]);
  if (asked.error instanceof ApiError && asked.error.status === 404) return <NoSuchRun />;
  return (
    <main className="main" id="work" aria-busy={asked.isPending}>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {asked.data === undefined ? (
        <RunOnItsWay />
      ) : (
        <RunShown
          run={asked.data}
          below={<DeadPhotos key={asked.data.run_id} runId={asked.data.run_id} feed={asked.data.feed} />}
        >
          <UploadLink runId={asked.data.run_id} />
        </RunShown>
      )}
    </main>
  );
}

function RunOnItsWay() {
  return (
    <div className="pad stackv" aria-hidden="true">
      <Bone width={240} />
      <Bone width={420} />
    </div>
  );
}

/** The way back into the upload that a run came from, while its file is kept. */
function UploadLink({ runId }: { runId: string }) {
  const { t } = useI18n();
  const { data } = useQuery(uploadsQuery);
  const upload = data?.uploads.find(({ run_id }) => run_id === runId);
  if (upload === undefined) return null;
  return (
    <Link className="btn" to="/workspace/feeds/new" search={{ upload: upload.upload_id }}>
      {t("imports.to_upload")}
    </Link>
  );
}

interface RunShownProps {
  run: ImportRun;
  /** What stands below the verdicts. */
  below?: ReactNode;
  /** Acts of the head. */
  children?: ReactNode;
}

/** The head with the run's file, and below it the verdicts. */
export function RunShown({ run, below, children }: RunShownProps) {
  const { t, lang } = useI18n();
  return (
    <>
      <header className="hh">
        <Link className="btn quiet sq" to="/workspace/feeds" aria-label={t("imports.to_list")}>
          <Icon name="left" />
        </Link>
        <div className="grow">
          <h1>
            {run.feed} <RunChip run={run} />
          </h1>
          <p className="sub num">
            {fullMoment(run.begun_at, lang)} · <Asker run={run} />
          </p>
        </div>
        {children}
      </header>
      <div className="scroll pad stackv" data-list-scroll>
        <RunFile run={run} />
        {run.outcome === null ? <p className="muted">{t("imports.open_text")}</p> : <Ended run={run} />}
        {run.has_report ? (
          <p>
            <a
              className="btn"
              href={buildAddress("/api/v0/workspace/imports/{id}/report", { path: { id: run.run_id } })}
              download
            >
              <Icon name="export" size="s" /> {t("imports.report")}
            </a>
          </p>
        ) : null}
        {below}
      </div>
    </>
  );
}

/** Says whether the run ended before its file was there: nothing is known of it but the reason. */
function isUnread(run: ImportRun): boolean {
  return run.outcome === "stopped" && run.digest === "";
}

function RunFile({ run }: { run: ImportRun }) {
  return (
    <p className="sub run-file">
      <span>{run.file}</span>
      {isUnread(run) ? null : <Hashes run={run} />}
    </p>
  );
}

function Hashes({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  return (
    <>
      <span className="mono" title={run.digest}>
        {t("imports.hash", { hash: run.digest.slice(0, HASH_SHOWN) })}
      </span>
      {typeof run.map_digest === "string" ? (
        <span className="mono" title={run.map_digest}>
          {t("imports.hash_map", { hash: run.map_digest.slice(0, HASH_SHOWN) })}
        </span>
      ) : (
        <span>{t("imports.no_map")}</span>
      )}
    </>
  );
}

function Unread({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  return (
    <p className="muted">
      {t("imports.unread_text")}
      {spaceAfter(t("imports.unread_text"))}
      <span lang={FALLBACK}>{run.reason}</span>
    </p>
  );
}

function Ended({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  if (isRefused(run)) return <Refusal run={run} />;
  if (isUnread(run)) return <Unread run={run} />;
  return (
    <>
      {run.outcome === "stopped" ? (
        <p className="muted">
          {t("imports.stopped_text")}
          {spaceAfter(t("imports.stopped_text"))}
          <span lang={FALLBACK}>{run.reason}</span>
          <br />
          {t("imports.stopped_way_out")}
        </p>
      ) : null}
      <VerdictStrip counts={run} isWhole={run.outcome === "complete"} />
    </>
  );
}

function Refusal({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const homes = run.homes ?? 0;
  const counts = { gone: number(run.missing), homes: number(homes) };
  const text =
    run.outcome === "number_not_typed"
      ? t("imports.number_not_typed_text", counts)
      : typeof run.allowed === "number"
        ? t("imports.too_many_missing_limit", { ...counts, allowed: number(run.allowed) })
        : t("imports.too_many_missing_text", counts);
  return (
    <section className="fd-card" role="alert">
      <h2>{t("imports.refused_title", counts)}</h2>
      <p className="muted">{text}</p>
      <LimitBar missing={run.missing} homes={homes} allowed={run.allowed ?? usualLimit(homes)} />
      <p>{t("imports.refused_way_out", { limit: run.missing })}</p>
    </section>
  );
}

function NoSuchRun() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="search" title={t("imports.no_run")} text={t("imports.no_run_text")}>
      <Link className="btn" to="/workspace/feeds">
        {t("imports.to_list")}
      </Link>
    </PlaceNotice>
  );
}
