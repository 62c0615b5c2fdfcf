import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { FailureNote } from "../../FailureNote.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { beginRun, cancelRun, type FeedUpload, type RunAsked } from "../feedCalls.ts";
import { VerdictBar } from "../Verdicts.tsx";
import { StepFrame } from "./StepFrame.tsx";
import type { StepProps } from "./UploadPage.tsx";

/** Begins a dry run or an import of an upload; the same press again, after a failure, begins one. */
export function useRun(id: string, onArrived: (upload: FeedUpload) => void) {
  const keyOf = useIntent();
  return useOnePress<FeedUpload, RunAsked>({
    mutationFn: (asked) => beginRun(id, asked, keyOf(asked)),
    onSuccess: onArrived,
  });
}

/** A dry run or an import under way: how far it is, and a way to stop it. */
export function RunStep({ upload, takesFocus, onArrived }: StepProps & { upload: FeedUpload }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const press = useOnePress<FeedUpload>({ mutationFn: () => cancelRun(upload.upload_id), onSuccess: onArrived });
  const { run } = upload;
  const isDry = upload.work === "dry_run";
  const isWaiting = upload.stage === "waiting";
  const title = t(isDry ? "imports.trying" : "imports.importing");
  const percent = Math.min(100, Math.round(run?.percent ?? 0));
  const homes = run === null ? 0 : run.added + run.changed + run.unchanged + run.rejected + run.left_out;
  return (
    <StepFrame title={title} takesFocus={takesFocus}>
      <section className="fd-card">
        <p role="status">
          <b>{isWaiting ? t("imports.waiting") : t("imports.percent", { n: percent })}</b>{" "}
          {homes === 0 ? null : t("imports.homes_so_far", { n: homes, shown: number(homes) })}
        </p>
        <progress className="up-progress" aria-label={title} max={100} value={isWaiting ? undefined : percent} />
        {run === null || homes === 0 ? null : <VerdictBar counts={run} />}
        <p className="muted">{t(isDry ? "imports.trying_text" : "imports.importing_text")}</p>
        <FailureNote error={press.error} />
        <p>
          <button type="button" className="btn" disabled={press.isPending} onClick={() => press.send()}>
            {t(isDry ? "imports.stop_trying" : "imports.stop_import")}
          </button>
        </p>
      </section>
    </StepFrame>
  );
}
