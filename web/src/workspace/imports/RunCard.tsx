import { useId } from "react";
import { buildAddress } from "../../api.ts";
import type { ImportRun } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { FALLBACK } from "../../i18n/languages.ts";
import { spaceAfter } from "../../i18n/sentences.ts";
import { fullMoment } from "../clock.ts";
import { Icon, type IconName } from "../icon.tsx";

/** Signs of a hash that tell one file from another at a glance. */
const HASH_SHOWN = 12;

const VERDICTS = ["added", "changed", "unchanged", "missing", "withdrawn", "left_out", "rejected"] as const;

/** Counted once a file is read to its end: which homes a file lacks is unknown where it breaks off. */
const AT_THE_END: ReadonlySet<string> = new Set(["missing", "withdrawn"]);

function verdictsOf(run: ImportRun) {
  return run.outcome === "stopped" ? VERDICTS.filter((verdict) => !AT_THE_END.has(verdict)) : VERDICTS;
}

type State = NonNullable<ImportRun["outcome"]> | "open" | "complete_rejected";

const LOOKS: Record<State, { chip: string; icon: IconName }> = {
  open: { chip: "chip", icon: "clock" },
  complete: { chip: "chip ok", icon: "check" },
  complete_rejected: { chip: "chip warn", icon: "alert" },
  stopped: { chip: "chip bad", icon: "x" },
  too_many_missing: { chip: "chip bad", icon: "x" },
  number_not_typed: { chip: "chip bad", icon: "x" },
};

function stateOf(run: ImportRun): State {
  const outcome = run.outcome ?? "open";
  return outcome === "complete" && run.rejected > 0 ? "complete_rejected" : outcome;
}

/** One run: its feed and how it ended, when and for whom, its file, and what became of entries and homes. */
export function RunCard({ run }: { run: ImportRun }) {
  const { t, lang } = useI18n();
  const heading = useId();
  const state = stateOf(run);
  const look = LOOKS[state];
  return (
    <article className="rm-one run" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{run.feed}</h2>
        <p className="sub num">
          {fullMoment(run.begun_at, lang)} · <Asker run={run} />
        </p>
        <span className={look.chip}>
          <Icon name={look.icon} size="s" />
          {t(`imports.${state}`)}
        </span>
      </header>
      <p className="sub run-file">
        <span>{run.file}</span>
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
      </p>
      {state === "open" ? <p className="muted">{t("imports.open_text")}</p> : <Ended run={run} />}
      {run.has_report ? (
        <a
          className="btn sm"
          href={buildAddress("/api/v0/workspace/imports/{id}/report", { path: { id: run.run_id } })}
          download
        >
          <Icon name="export" size="s" /> {t("imports.report")}
        </a>
      ) : null}
    </article>
  );
}

function Asker({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  if (run.by === "staff") return run.by_name || t("imports.by_former");
  return t(run.by === "schedule" ? "imports.by_schedule" : "imports.by_operator");
}

function Ended({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  const { number } = useFormat();
  if (run.outcome === "too_many_missing" || run.outcome === "number_not_typed") return <Refusal run={run} />;
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
      <Shares run={run} />
      <dl className="run-counts">
        {verdictsOf(run).map((verdict) => (
          <div key={verdict}>
            <dt>
              <i className={`run-dot ${verdict}`} aria-hidden="true" />
              {t(`imports.${verdict}`)}
            </dt>
            <dd className="num">{number(run[verdict])}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The counts as one bar; the list below it says them. */
function Shares({ run }: { run: ImportRun }) {
  const shown = VERDICTS.filter((verdict) => run[verdict] > 0);
  if (shown.length === 0) return null;
  return (
    <span className="run-bar" aria-hidden="true">
      {shown.map((verdict) => (
        <i key={verdict} className={verdict} style={{ flex: `${run[verdict]} 0 4px` }} />
      ))}
    </span>
  );
}

function Refusal({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const counts = { gone: number(run.missing), homes: number(run.homes ?? 0) };
  const text =
    run.outcome === "number_not_typed"
      ? t("imports.number_not_typed_text", counts)
      : typeof run.allowed === "number"
        ? t("imports.too_many_missing_limit", { ...counts, allowed: number(run.allowed) })
        : t("imports.too_many_missing_text", counts);
  return (
    <div className="note bad">
      <Icon name="alert" />
      <div>
        <p>{text}</p>
        <p>{t("imports.refused_way_out", { limit: run.missing })}</p>
      </div>
    </div>
  );
}
