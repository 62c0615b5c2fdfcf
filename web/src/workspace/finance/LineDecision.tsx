import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { FileCompared, FileLine, LineReason, OpenPayout } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { writeMoney } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { useOnePress } from "../useOnePress.ts";
import {
  type Choice,
  decideLine,
  LINE_REASONS,
  reopenLine,
  statementQuery,
  statementsQuery,
} from "./bankStatements.ts";

/** Characters of a note. */
const NOTE_MAX = 400;

interface LineProps {
  line: FileLine;
  compared: FileCompared;
}

/** Payouts offered for a line, those nearest to its amount first; another currency comes last. */
export function sortPayouts(line: FileLine, payouts: readonly OpenPayout[]): OpenPayout[] {
  const far = ({ currency, amount_minor }: OpenPayout) =>
    currency === line.currency ? Math.abs(amount_minor - line.amount_minor) : Number.MAX_SAFE_INTEGER;
  return [...payouts].sort((one, other) => far(one) - far(other));
}

/** The decision by hand about a line, with the way back; for a line that matched nothing, the way to match it. */
export function LineDecision({ line, compared }: LineProps) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  const statement = compared.statement?.id;
  if (statement === undefined || line.place === null) return null;
  if (line.decided !== null) return <Decided line={line} statement={statement} place={line.place} />;
  if (line.verdict !== "unknown" && line.verdict !== "differing") return null;
  return (
    <p>
      <button type="button" className="btn sm" onClick={() => setOpen(true)}>
        {t("bank_file.match")}
      </button>
      {isOpen ? (
        <MatchDialog
          line={line}
          statement={statement}
          place={line.place}
          payouts={sortPayouts(line, compared.open_payouts)}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </p>
  );
}

/** Reads the lists again whose figures a decision changes. */
function useReadAgain(statement: string): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [statementQuery(statement).queryKey, statementsQuery.queryKey, ["reconciliation"]])
      void client.invalidateQueries({ queryKey });
  };
}

interface DecidedProps {
  line: FileLine;
  statement: string;
  place: number;
}

function Decided({ line: { decided }, statement, place }: DecidedProps) {
  const { t, lang } = useI18n();
  const readAgain = useReadAgain(statement);
  const reopening = useOnePress({
    mutationFn: () => reopenLine(statement, place),
    onSuccess: () => toast(t("bank_file.was_reopened")),
    onSettled: readAgain,
  });
  if (decided === null) return null;
  const who = { name: decided.by, at: fullMoment(decided.at, lang) };
  return (
    <>
      <p className="sub num">
        {decided.reason === null ? null : `${t(`bank_file.reason_line_${decided.reason}`)} · `}
        {t("bank_file.decided_by", who)}{" "}
        <button type="button" className="btn sm" disabled={reopening.isPending} onClick={() => reopening.send()}>
          {t("bank_file.reopen")}
        </button>
      </p>
      {decided.note === null ? null : <p className="sub">{t("bank_file.note_said", { words: decided.note })}</p>}
      {reopening.error === null ? null : <FailureNote error={reopening.error} />}
    </>
  );
}

interface DialogProps extends DecidedProps {
  payouts: readonly OpenPayout[];
  onClose: () => void;
}

/** A payout is chosen, or what the line is instead; nothing is chosen beforehand. */
function MatchDialog({ line, statement, place, payouts, onClose }: DialogProps) {
  const { t } = useI18n();
  const [problem, list, field] = [useId(), useId(), useId()];
  const [choice, setChoice] = useState<Choice | null>(null);
  const [note, setNote] = useState("");
  const readAgain = useReadAgain(statement);
  const deciding = useOnePress<unknown, Choice>({
    mutationFn: (sent) => decideLine(statement, place, sent),
    onSuccess: () => {
      toast(t("bank_file.was_decided"));
      onClose();
    },
    onSettled: readAgain,
  });
  const words = note.trim();
  const chosen = choice !== null && "reason" in choice && words !== "" ? { ...choice, note: words } : choice;
  const press = { ...deciding, send: () => chosen !== null && deciding.send(chosen) };
  const isPayout = (id: string) => choice !== null && "payout" in choice && choice.payout === id;
  const isReason = (reason: LineReason) => choice !== null && "reason" in choice && choice.reason === reason;
  return (
    <DecisionDialog
      title={t("bank_file.match_title", { amount: writeMoney(line.amount_minor, line) })}
      press={press}
      go={t("bank_file.match_now")}
      ready={choice !== null}
      problemId={problem}
      onClose={onClose}
    >
      <p className="mono">{line.reference}</p>
      <fieldset className="why bf-payouts">
        <legend>{t("bank_file.match_payout")}</legend>
        {payouts.length === 0 ? <p className="sub">{t("bank_file.match_none")}</p> : null}
        {payouts.map(({ id, amount_minor, decimals, currency, day }) => (
          <label key={id} className="num">
            <input type="radio" name={list} checked={isPayout(id)} onChange={() => setChoice({ payout: id })} />{" "}
            {writeMoney(amount_minor, { decimals, currency })} · {day} · <span className="mono">{id}</span>
          </label>
        ))}
      </fieldset>
      <fieldset className="why">
        <legend>{t("bank_file.match_else")}</legend>
        {LINE_REASONS.map((reason) => (
          <label key={reason}>
            <input type="radio" name={list} checked={isReason(reason)} onChange={() => setChoice({ reason })} />{" "}
            {t(`bank_file.reason_line_${reason}`)}
          </label>
        ))}
      </fieldset>
      {choice !== null && "reason" in choice ? (
        <p>
          <label className="label" htmlFor={field}>
            {t("bank_file.note")}
          </label>
          <textarea
            id={field}
            className="area"
            maxLength={NOTE_MAX}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </p>
      ) : null}
    </DecisionDialog>
  );
}
