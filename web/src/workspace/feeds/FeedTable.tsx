import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { ImportRun } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { FALLBACK } from "../../i18n/languages.ts";
import { toast } from "../../ui/toast.tsx";
import { dayAndTime } from "../clock.ts";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { useFailureToast } from "../failure.ts";
import { Icon } from "../icon.tsx";
import { usePastMoment } from "../pastMoment.ts";
import { Stopped } from "../TableStates.tsx";
import { useIntent } from "../useIntent.ts";
import { useOnePress } from "../useOnePress.ts";
import { dropSchedule, type Feed, feedKeys, feedsQuery, readNow, type Schedule, setSchedule } from "./feedCalls.ts";
import { readEvery, ScheduleDialog } from "./ScheduleDialog.tsx";
import { isRefused } from "./Verdicts.tsx";

/** Feeds with what they are read from, how the last run ended, and their schedule. */
export function FeedTable() {
  const { t } = useI18n();
  const heading = useId();
  const asked = useQuery(feedsQuery);
  const feeds = asked.data?.feeds ?? [];
  return (
    <>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {feeds.map(({ last_run: run }) =>
        run !== null && isRefused(run) ? <RefusedRun key={run.run_id} run={run} /> : null,
      )}
      {feeds.length === 0 ? null : (
        <section aria-labelledby={heading}>
          <div className="fd-head">
            <h2 id={heading}>{t("imports.feeds")}</h2>
          </div>
          <div className="fd-box">
            <table className="tbl fd-cards feeds-t">
              <caption className="vh">{t("imports.feeds")}</caption>
              <thead>
                <tr>
                  <th>{t("imports.feed")}</th>
                  <th>{t("imports.reads")}</th>
                  <th>{t("imports.last_run")}</th>
                  <th className="c-rule">{t("imports.missing_rule")}</th>
                  <th>
                    <span className="vh">{t("imports.acts")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {feeds.map((feed) => (
                  <Row key={feed.name} feed={feed} />
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </>
  );
}

/** A feed whose newest import was refused: it stays so until somebody looks. */
function RefusedRun({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const counts = { gone: number(run.missing), homes: number(run.homes ?? 0) };
  return (
    <div className="note bad fd-refused">
      <Icon name="alert" />
      <div className="grow">
        <p>
          <b>{t("imports.last_refused", { feed: run.feed })}</b>
        </p>
        <p>{t("imports.refused_title", counts)}</p>
      </div>
      <Link className="btn" to="/workspace/feeds/runs/$runId" params={{ runId: run.run_id }} search={{}}>
        {t("imports.see_refused")}
        <span className="vh"> {run.feed}</span>
      </Link>
    </div>
  );
}

function Row({ feed }: { feed: Feed }) {
  const { t } = useI18n();
  return (
    <tr>
      <td className="c-feed">
        <Link className="b quiet-link" to="/workspace/homes" search={{ feed: feed.name }}>
          {feed.name}
        </Link>
        <div className="sub">{feed.host ?? t("imports.by_file")}</div>
      </td>
      <td className="c-reads">
        <Reads feed={feed} />
      </td>
      <td className="c-last">
        <LastRun feed={feed} />
      </td>
      <td className="c-rule">{feed.missing === null ? "—" : t(`imports.rule_${feed.missing}`)}</td>
      <td className="c-acts">
        <Acts feed={feed} />
      </td>
    </tr>
  );
}

/** How often it is read, and who says so. */
function Reads({ feed }: { feed: Feed }) {
  const { t, lang } = useI18n();
  if (feed.every === null) return <span className="muted">{t("imports.no_schedule")}</span>;
  const { count, unit } = readEvery(feed.every);
  const due = feed.state?.due_at ?? null;
  return (
    <>
      {t(`imports.reads_${unit}`, { n: Number(count) })}
      <div className="sub">
        {feed.set_in === "setting"
          ? t("imports.set_in_settings")
          : feed.is_paused
            ? t("imports.paused")
            : due === null
              ? null
              : t("imports.next_at", { when: dayAndTime(due, lang) })}
      </div>
    </>
  );
}

/** The last import of a feed, and why its last reading failed. */
function LastRun({ feed }: { feed: Feed }) {
  const { t } = useI18n();
  const { last_run: run, state } = feed;
  return (
    <>
      {state?.is_running ? <span className="sub">{t("imports.running")}</span> : null}
      {run === null ? (
        state?.is_running ? null : (
          <span className="muted">{t("imports.never_run")}</span>
        )
      ) : (
        <RunLink run={run} />
      )}
      {state === null || state.failure === null ? null : (
        <div className="sub bad" lang={FALLBACK}>
          {state.failure}
        </div>
      )}
    </>
  );
}

function RunLink({ run }: { run: ImportRun }) {
  const { lang } = useI18n();
  const isWhole = run.outcome === "complete";
  const look = isWhole ? "ok" : run.outcome === null ? "" : "bad";
  return (
    <Link className={`quiet-link ${look}`} to="/workspace/feeds/runs/$runId" params={{ runId: run.run_id }} search={{}}>
      <Icon name={isWhole ? "check" : run.outcome === null ? "clock" : "x"} size="xs" />
      {dayAndTime(run.ended_at ?? run.begun_at, lang)}
    </Link>
  );
}

/** Pause, change, read now and remove; what the server's settings say is changed there alone. */
function Acts({ feed }: { feed: Feed }) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [dialog, setDialog] = useState<"schedule" | "remove" | null>(null);
  const [pause, read] = [usePausing(feed), useReading()];
  const isHere = feed.set_in === "here";
  return (
    <div className="row wrapx fd-acts">
      {isHere ? (
        <button
          type="button"
          role="switch"
          className="fd-switch"
          aria-checked={!feed.is_paused}
          aria-label={t("imports.read_on_schedule", { feed: feed.name })}
          disabled={isPast || pause.isPending}
          onClick={() => pause.send()}
        >
          {t(feed.is_paused ? "imports.paused" : "imports.on")}
        </button>
      ) : null}
      {feed.set_in === "setting" ? null : (
        <button type="button" className="btn sm" disabled={isPast} onClick={() => setDialog("schedule")}>
          {t(isHere ? "imports.change" : "imports.set_schedule")}
          <span className="vh"> {feed.name}</span>
        </button>
      )}
      {feed.set_in === null ? null : (
        <button
          type="button"
          className="btn sm"
          disabled={isPast || feed.is_paused || feed.state?.is_running || read.isPending}
          onClick={() => read.send(feed.name)}
        >
          {t("imports.read_now")}
          <span className="vh"> {feed.name}</span>
        </button>
      )}
      {isHere ? (
        <button
          type="button"
          className="btn quiet sq sm"
          aria-label={t("imports.remove_schedule", { feed: feed.name })}
          disabled={isPast}
          onClick={() => setDialog("remove")}
        >
          <Icon name="x" size="s" />
        </button>
      ) : null}
      {dialog === "schedule" ? <ScheduleDialog name={feed.name} feed={feed} onClose={() => setDialog(null)} /> : null}
      {dialog === "remove" ? <RemoveDialog feed={feed} onClose={() => setDialog(null)} /> : null}
    </div>
  );
}

/** Asks for the feeds anew, whatever came of a press. */
function useFreshFeeds(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of feedKeys) void client.invalidateQueries({ queryKey, exact: true });
  };
}

function usePausing(feed: Feed) {
  const keyOf = useIntent();
  const failed = useFailureToast();
  const onSettled = useFreshFeeds();
  const body: Schedule = {
    url: null,
    every: feed.every ?? "1d",
    missing: feed.missing ?? "report",
    is_paused: !feed.is_paused,
    map: null,
    version: feed.version,
  };
  return useOnePress<Feed>({ mutationFn: () => setSchedule(feed.name, body, keyOf(body)), onError: failed, onSettled });
}

function useReading() {
  const { t } = useI18n();
  const failed = useFailureToast();
  const onSettled = useFreshFeeds();
  return useOnePress<Feed, string>({
    mutationFn: readNow,
    onSuccess: ({ name }) => toast(t("imports.reads_now", { feed: name })),
    onError: failed,
    onSettled,
  });
}

/** Asks before a schedule is removed: its homes stay. */
function RemoveDialog({ feed, onClose }: { feed: Feed; onClose: () => void }) {
  const { t } = useI18n();
  const onSettled = useFreshFeeds();
  const press = useOnePress({ mutationFn: () => dropSchedule(feed.name), onSuccess: onClose, onSettled });
  return (
    <DecisionDialog
      title={t("imports.remove_schedule", { feed: feed.name })}
      press={press}
      go={t("imports.remove_go")}
      look="danger"
      onClose={onClose}
    >
      <p>{t("imports.remove_text")}</p>
    </DecisionDialog>
  );
}
