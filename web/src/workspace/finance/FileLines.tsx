import { useState } from "react";
import type { FileCompared, FileLine, FileVerdict } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { writeMoney, writeSigned } from "../amounts.ts";
import { dayOf } from "../clock.ts";
import { Icon, type IconName } from "../icon.tsx";
import { type Comparison, countOf, differenceOf } from "./bankFile.ts";
import { FileReading } from "./FileReading.tsx";
import { LineDecision } from "./LineDecision.tsx";

const VERDICTS = [
  "differing",
  "unknown",
  "missing",
  "pending",
  "informational",
  "explained",
  "by_hand",
  "matched",
] as const satisfies readonly FileVerdict[];

/** Verdicts that few files have. */
const SELDOM: ReadonlySet<FileVerdict> = new Set(["pending", "informational", "explained", "by_hand"]);

const LOOKS: Readonly<Record<FileVerdict, { chip: string; icon: IconName }>> = {
  matched: { chip: "chip ok", icon: "check" },
  differing: { chip: "chip bad", icon: "alert" },
  unknown: { chip: "chip warn", icon: "alert" },
  pending: { chip: "chip", icon: "clock" },
  informational: { chip: "chip", icon: "file" },
  missing: { chip: "chip warn", icon: "alert" },
  by_hand: { chip: "chip ok", icon: "check" },
  explained: { chip: "chip", icon: "check" },
};

/** Verdicts after which nothing is left to do. */
const DONE: ReadonlySet<FileVerdict> = new Set(["matched", "by_hand", "explained"]);

/** Lines drawn at once; a file has at most 10,000, and what agrees is seldom read. */
const SHOWN = 200;

/** How many lines agree, differ and are missing, and each with its reason; what needs a person comes first. */
export function FileLines({ comparison: { name, compared } }: { comparison: Comparison }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const [chosen, setChosen] = useState<FileVerdict | null>(null);
  const sorted = VERDICTS.flatMap((verdict) => compared.lines.filter((line) => line.verdict === verdict));
  const lines = chosen === null ? sorted : sorted.filter(({ verdict }) => verdict === chosen);
  const offered = VERDICTS.filter((verdict) => !SELDOM.has(verdict) || countOf(compared, verdict) !== 0);
  const choice = (verdict: FileVerdict | null, words: string, count: number | null) => (
    <button key={words} type="button" aria-pressed={chosen === verdict} onClick={() => setChosen(verdict)}>
      {words} <span className="num">{count === null ? t("bank_file.not_compared") : number(count)}</span>
    </button>
  );
  return (
    <div className="bf-result">
      <div role="status">
        <h3>{t("bank_file.result", { name, n: compared.lines.length })}</h3>
      </div>
      <FileReading compared={compared} />
      <fieldset className="seg wrapx" aria-label={t("bank_file.verdict")}>
        {choice(null, t("bank_file.all"), compared.lines.length)}
        {offered.map((verdict) => choice(verdict, t(`bank_file.verdict_${verdict}`), countOf(compared, verdict)))}
      </fieldset>
      {lines.length === 0 ? <NoLine isUnknown={chosen !== null && countOf(compared, chosen) === null} /> : null}
      <ul className="rm-list">
        {lines.slice(0, SHOWN).map((line) => (
          <li key={`${line.place ?? ""}/${line.place === null ? line.source : line.amount_minor}`}>
            <Line line={line} compared={compared} />
          </li>
        ))}
      </ul>
      {lines.length > SHOWN ? (
        <p className="sub">{t("bank_file.shown", { n: number(SHOWN), all: number(lines.length) })}</p>
      ) : null}
    </div>
  );
}

/** No line has the result that was chosen, or the file could not tell. */
function NoLine({ isUnknown }: { isUnknown: boolean }) {
  const { t } = useI18n();
  return <p className="sub">{t(isUnknown ? "bank_file.missing_unknown" : "bank_file.none")}</p>;
}

/** The verdict of a line in words, with the amounts on both sides. */
function useBecause(): (line: FileLine) => string {
  const { t } = useI18n();
  return (line) => {
    const { verdict, decimals, currency, there_minor } = line;
    const difference = differenceOf(line);
    const isDifferent = verdict === "differing" || (verdict === "by_hand" && difference !== 0);
    if (!isDifferent) return t(`bank_file.because_${verdict}`);
    if (there_minor === null || difference === null) return t("bank_file.because_currency");
    return t("bank_file.because_differing", {
      there: writeMoney(there_minor, { decimals, currency }),
      difference: writeSigned(difference, { decimals, currency }),
    });
  };
}

function Line({ line, compared }: { line: FileLine; compared: FileCompared }) {
  const { t } = useI18n();
  const because = useBecause();
  const { verdict, amount_minor, decimals, currency } = line;
  const { chip, icon } = LOOKS[verdict];
  return (
    <article className={DONE.has(verdict) ? "rm-one" : "rm-one ill"}>
      <header>
        <h4 className="num">{writeMoney(amount_minor, { decimals, currency })}</h4>
        <p className="sub num grow">
          {line.line === null ? "" : `${t("bank_file.line")} ${line.line} · `}
          {dayOf(line.date)}
          {line.reference === "" ? "" : " · "}
          <span className="mono">{line.reference}</span>
        </p>
        <span className={chip}>
          <Icon name={icon} />
          {t(`bank_file.verdict_${verdict}`)}
        </span>
      </header>
      <p className="muted">{because(line)}</p>
      {line.words_removed ? <p className="sub">{t("bank_file.words_removed")}</p> : null}
      {line.source === null ? null : (
        <p className="sub">
          {t("bank_file.found")}: <span className="mono">{line.source}</span>
          {line.by === null ? null : ` · ${t(`bank_file.found_by_${line.by}`)}`}
        </p>
      )}
      <LineDecision line={line} compared={compared} />
    </article>
  );
}
