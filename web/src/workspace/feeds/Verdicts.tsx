import type { ImportRun } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon, type IconName } from "../icon.tsx";

/** Verdicts on the homes of a file, in the order in which they are shown. */
const VERDICTS = ["added", "changed", "unchanged", "missing", "withdrawn", "left_out", "rejected"] as const;

export type Verdict = (typeof VERDICTS)[number];

/** Shown even where they count nothing: the five that every run is read by. */
const ALWAYS: ReadonlySet<Verdict> = new Set<Verdict>(["added", "changed", "unchanged", "missing", "rejected"]);

/** Counted once a file is read to its end: which homes a file lacks is unknown where it breaks off. */
const AT_THE_END: ReadonlySet<Verdict> = new Set<Verdict>(["missing", "withdrawn"]);

export type Counts = Readonly<Record<Verdict, number>>;

type RunState = NonNullable<ImportRun["outcome"]> | "open" | "complete_rejected";

const LOOKS: Record<RunState, { chip: string; icon: IconName }> = {
  open: { chip: "chip", icon: "clock" },
  complete: { chip: "chip ok", icon: "check" },
  complete_rejected: { chip: "chip warn", icon: "alert" },
  stopped: { chip: "chip bad", icon: "x" },
  too_many_missing: { chip: "chip bad", icon: "x" },
  number_not_typed: { chip: "chip bad", icon: "x" },
};

function stateOf(run: ImportRun): RunState {
  const outcome = run.outcome ?? "open";
  return outcome === "complete" && run.rejected > 0 ? "complete_rejected" : outcome;
}

/** How a run ended, in a word. */
export function RunChip({ run }: { run: ImportRun }) {
  const { t } = useI18n();
  const state = stateOf(run);
  const look = LOOKS[state];
  return (
    <span className={look.chip}>
      <Icon name={look.icon} size="s" />
      {t(`imports.${state}`)}
    </span>
  );
}

/** A run that was refused has changed nothing, so that its counts say nothing. */
export function isRefused({ outcome }: ImportRun): boolean {
  return outcome === "too_many_missing" || outcome === "number_not_typed";
}

/** The counts as one bar; the numbers beside it say them. */
export function VerdictBar({ counts }: { counts: Counts }) {
  const shown = VERDICTS.filter((verdict) => counts[verdict] > 0);
  return (
    <span className="run-bar" aria-hidden="true">
      {shown.map((verdict) => (
        <i key={verdict} className={verdict} style={{ flex: `${counts[verdict]} 0 4px` }} />
      ))}
    </span>
  );
}

interface StripProps {
  counts: Counts;
  /** The file was read to its end. */
  isWhole: boolean;
}

/** The verdict strip: each verdict with its number, rejected ones on a ground of their own. */
export function VerdictStrip({ counts, isWhole }: StripProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const shown = VERDICTS.filter((verdict) => ALWAYS.has(verdict) || counts[verdict] > 0).filter(
    (verdict) => isWhole || !AT_THE_END.has(verdict),
  );
  return (
    <dl className="run-strip">
      {shown.map((verdict) => (
        <div key={verdict} className={verdict === "rejected" && counts.rejected > 0 ? "bad" : undefined}>
          <dt>
            <i className={`run-dot ${verdict}`} aria-hidden="true" />
            {t(`imports.${verdict}`)}
          </dt>
          <dd className="num">{number(counts[verdict])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Homes that may go without a number of their own: a fifth, and five. */
export function usualLimit(homes: number): number {
  return Math.max(5, Math.floor(homes / 5));
}

interface LimitProps {
  missing: number;
  homes: number;
  /** The number of homes that may go at once. */
  allowed: number;
}

/** The share of missing homes against the house's limit, with both as words. */
export function LimitBar({ missing, homes, allowed }: LimitProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const share = (part: number) => Math.round((100 * part) / Math.max(1, homes));
  const words = {
    gone: t("imports.limit_gone", { n: number(missing), share: share(missing) }),
    limit: t("imports.limit", { n: number(allowed), share: share(allowed) }),
  };
  return (
    <div className="run-limit" role="img" aria-label={`${words.gone} · ${words.limit}`}>
      <em style={{ marginInlineStart: `min(${share(allowed)}%, 60%)` }}>{words.limit}</em>
      <span>
        <i style={{ width: `${share(missing)}%` }} />
        <u style={{ left: `${share(allowed)}%` }} />
      </span>
      <b>{words.gone}</b>
    </div>
  );
}
