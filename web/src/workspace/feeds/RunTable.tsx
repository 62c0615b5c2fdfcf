import { Link, linkOptions, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ImportRun } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { dayAndTime } from "../clock.ts";
import { useKeys } from "../keys.ts";
import { intoView, pressRow } from "../TableStates.tsx";
import { isRefused, RunChip, VerdictBar } from "./Verdicts.tsx";

const NUMBERS = ["added", "changed", "unchanged", "missing", "rejected"] as const;

/** Runs as rows on a screen, as cards on a phone: J and K move, Enter opens. */
export function RunTable({ runs }: { runs: ImportRun[] }) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string | null>(null);
  const at = runs.findIndex((run) => run.run_id === chosen);
  const move = (by: number) => setChosen(runs[Math.max(0, Math.min(runs.length - 1, at + by))]?.run_id ?? null);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    enter: () => {
      const run = runs[at];
      if (run !== undefined) void navigate(linkTo(run));
    },
  });
  return (
    <div className="fd-box">
      <table className="tbl fd-cards runs-t">
        <caption className="vh">{t("imports.runs_newest")}</caption>
        <thead>
          <tr>
            <th>{t("imports.when")}</th>
            <th>{t("imports.feed")}</th>
            <th className="c-bar">
              <span className="vh">{t("imports.shares")}</span>
            </th>
            {NUMBERS.map((verdict) => (
              <th key={verdict} className="num c-n">
                {t(`imports.${verdict}`)}
              </th>
            ))}
            <th>{t("imports.verdict")}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <Row key={run.run_id} run={run} selected={run.run_id === chosen} onChoose={setChosen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const linkTo = (run: ImportRun) =>
  linkOptions({ to: "/workspace/feeds/runs/$runId", params: { runId: run.run_id }, search: {} });

interface RowProps {
  run: ImportRun;
  selected: boolean;
  onChoose: (runId: string) => void;
}

function Row({ run, selected, onChoose }: RowProps) {
  const { lang } = useI18n();
  const { number } = useFormat();
  const navigate = useNavigate();
  const link = linkTo(run);
  return (
    // The row only repeats, for the mouse, what its link and J, K and Enter do.
    <tr
      aria-selected={selected}
      onClick={(event) =>
        pressRow(
          event,
          () => onChoose(run.run_id),
          () => void navigate(link),
        )
      }
      ref={selected ? intoView : null}
    >
      <td className="c-when">
        {dayAndTime(run.begun_at, lang)}
        <div className="sub">
          <Asker run={run} />
        </div>
      </td>
      <td className="c-feed">
        <Link className="b quiet-link" {...link}>
          {run.feed}
        </Link>
        <div className="sub">{run.file}</div>
      </td>
      <td className="c-bar">
        <VerdictBar counts={run} />
      </td>
      {NUMBERS.map((verdict) => (
        <td key={verdict} className="num c-n">
          {isRefused(run) && verdict !== "missing" ? "—" : number(run[verdict])}
        </td>
      ))}
      <td className="c-st">
        <RunChip run={run} />
      </td>
    </tr>
  );
}

/** The person or the machine that asked for a run. */
export function Asker({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  if (run.by === "staff") return run.by_name || t("imports.by_former");
  return t(run.by === "schedule" ? "imports.by_schedule" : "imports.by_operator");
}
