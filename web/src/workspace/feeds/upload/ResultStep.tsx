import { Link } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { buildAddress } from "../../../api.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { FALLBACK } from "../../../i18n/languages.ts";
import { FailureNote } from "../../FailureNote.tsx";
import { Icon, type IconName } from "../../icon.tsx";
import { usePastMoment } from "../../pastMoment.ts";
import type { FeedUpload, UploadRun } from "../feedCalls.ts";
import { ScheduleButton } from "../ScheduleDialog.tsx";
import { LimitBar, usualLimit, VerdictStrip } from "../Verdicts.tsx";
import { MissingChoice, type MissingChosen, readLimit } from "./MissingChoice.tsx";
import { isReject, ReportLines } from "./ReportLines.tsx";
import { useRun } from "./RunStep.tsx";
import { StepFrame } from "./StepFrame.tsx";
import type { StepProps } from "./UploadPage.tsx";

/** How a dry run or an import ended; `broken` is a file that could not be read to its end. */
type End = "complete" | "refused" | "broken" | "stopped" | "failed";

function readEnd({ stage, run }: FeedUpload): End {
  if (stage === "failed" || run === null) return "failed";
  if (run.outcome === "too_many_missing" || run.outcome === "number_not_typed") return "refused";
  if (run.outcome === "complete") return "complete";
  return stage === "stopped" ? "stopped" : "broken";
}

/** The end of a dry run or an import: its verdicts, the rows that need somebody, and what comes next. */
export function ResultStep({ upload, takesFocus, send, onArrived }: StepProps & { upload: FeedUpload }) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [missing, setMissing] = useState<MissingChosen>({ rule: "report", typed: "" });
  const [wasTried, setWasTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const press = useRun(upload.upload_id, onArrived);
  const { run } = upload;
  const end = readEnd(upload);
  const kind = upload.work === "import" ? "import" : "dry_run";
  const isIn = kind === "import" && end === "complete";
  const gone = run?.missing ?? 0;
  const limit = readLimit(missing, gone);
  const importAll = () => {
    setWasTried(true);
    if (limit === undefined) field.current?.focus();
    else press.send({ kind: "import", missing: missing.rule, missing_limit: limit });
  };
  const tryAgain = () => press.send({ kind: "dry_run", missing: "report", missing_limit: null });
  const isOff = isPast || press.isPending;
  return (
    <StepFrame
      title={t(`imports.${kind}_${end}`)}
      takesFocus={takesFocus}
      bar={
        isIn ? (
          <NextActs feed={upload.feed} />
        ) : (
          <>
            <Going upload={upload} end={end} />
            <button type="button" className="btn" onClick={() => send({ type: "step.go", to: "columns" })}>
              {t("imports.to_columns")}
            </button>
            {kind === "dry_run" && end !== "complete" && end !== "refused" ? (
              <button type="button" className="btn pri" disabled={isOff} onClick={tryAgain}>
                {t("imports.try_again")}
              </button>
            ) : (
              <button type="button" className="btn pri" disabled={isOff} onClick={importAll}>
                <ImportWords run={run} chosen={missing} />
              </button>
            )}
          </>
        )
      }
    >
      <Notice upload={upload} end={end} />
      <FailureNote error={press.error} />
      {run === null ? null : <Verdicts run={run} end={end} />}
      {isIn || gone === 0 || (kind === "dry_run" && end === "stopped") ? null : (
        <MissingChoice
          missing={gone}
          absent={run?.absent ?? []}
          chosen={missing}
          wasTried={wasTried}
          onChoose={setMissing}
          field={field}
        />
      )}
    </StepFrame>
  );
}

const NOTES: Record<End, { look: string; icon: IconName }> = {
  complete: { look: "note ok", icon: "check" },
  refused: { look: "note bad", icon: "alert" },
  broken: { look: "note warn", icon: "alert" },
  stopped: { look: "note warn", icon: "pause" },
  failed: { look: "note bad", icon: "alert" },
};

/** What happened, with the report to download. */
function Notice({ upload, end }: { upload: FeedUpload; end: End }) {
  const { t } = useI18n();
  const kind = upload.work === "import" ? "import" : "dry_run";
  const { look, icon } = NOTES[end];
  const reason = upload.fault ?? upload.run?.reason ?? null;
  const stopped = upload.stopped_by === "server" ? t("imports.stopped_by_server") : null;
  return (
    <div className={`${look} up-note`} role={end === "complete" ? "status" : "alert"}>
      <Icon name={icon} />
      <div className="grow">
        <p>{t(`imports.${kind}_${end}_text`)}</p>
        {stopped === null ? null : <p>{stopped}</p>}
        {reason === null ? null : <p lang={FALLBACK}>{reason}</p>}
      </div>
      {upload.run?.has_report ? (
        <a
          className="btn"
          href={buildAddress("/api/v0/workspace/feed_uploads/{id}/report", { path: { id: upload.upload_id } })}
          download
        >
          <Icon name="export" size="s" />
          {t(kind === "import" ? "imports.report" : "imports.verdicts")}
        </a>
      ) : null}
    </div>
  );
}

/** The verdict strip with the rows that need somebody; of a refusal the missing homes against the limit. */
function Verdicts({ run, end }: { run: UploadRun; end: End }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const rejected = run.worst.filter(isReject);
  const others = run.worst.filter((line) => !isReject(line));
  return (
    <>
      {end === "refused" && run.let_homes !== null ? (
        <section className="fd-card">
          <h3>{t("imports.refused_title", { gone: number(run.missing), homes: number(run.let_homes) })}</h3>
          <LimitBar
            missing={run.missing}
            homes={run.let_homes}
            allowed={run.missing_limit ?? usualLimit(run.let_homes)}
          />
        </section>
      ) : (
        <VerdictStrip counts={run} isWhole={end === "complete"} />
      )}
      <ReportLines
        title={t("imports.rejected_title", { n: run.rejected, shown: number(rejected.length) })}
        lines={rejected}
      />
      <ReportLines title={t("imports.notes_title")} lines={others} />
      {run.has_report && run.worst.length >= LINES_SHOWN ? <p className="sub">{t("imports.more_lines")}</p> : null}
    </>
  );
}

/** Lines that the server shows of a report. */
const LINES_SHOWN = 50;

/** How many homes go in and how many stay out, beside the buttons. */
function Going({ upload, end }: { upload: FeedUpload; end: End }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { run } = upload;
  if (run === null || end !== "complete") return <p className="grow sub">{t("imports.choices_kept")}</p>;
  return (
    <p className="grow">
      <b>{t("imports.going", { into: number(countTaken(run)), out: number(run.rejected + run.left_out) })}</b>
      <br />
      <span className="sub">{t("imports.quotes_kept")}</span>
    </p>
  );
}

const countTaken = (run: UploadRun) => run.added + run.changed + run.unchanged;

/** What the press does, with its numbers. */
function ImportWords({ run, chosen }: { run: UploadRun | null; chosen: MissingChosen }): ReactNode {
  const { t } = useI18n();
  const { number } = useFormat();
  const n = run === null ? 0 : countTaken(run);
  const gone = number(run?.missing ?? 0);
  const closes = chosen.rule === "withdraw";
  if (n === 0) return closes ? t("imports.go_close", { gone }) : t("imports.go");
  return closes
    ? t("imports.go_homes_close", { n, shown: number(n), gone })
    : t("imports.go_homes", { n, shown: number(n) });
}

/** After an import: the schedule, and the homes. */
function NextActs({ feed }: { feed: string }) {
  const { t } = useI18n();
  return (
    <>
      <p className="grow">
        <b>{t("imports.read_daily")}</b>
        <br />
        <span className="sub">{t("imports.read_daily_text")}</span>
      </p>
      <ScheduleButton name={feed} />
      <Link className="btn pri" to="/workspace/homes" search={{ feed }}>
        {t("imports.see_homes")}
      </Link>
    </>
  );
}
