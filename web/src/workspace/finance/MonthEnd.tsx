import { useId, useState } from "react";
import { ApiError } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { plainDay, useNow } from "../clock.ts";
import { useFailureText } from "../failure.ts";
import { Icon } from "../icon.tsx";
import { save } from "../savedFile.ts";
import { useOnePress } from "../useOnePress.ts";
import { consistencyProof, signedHead } from "./chainFiles.ts";
import { hasEnded, lastDayOf, lastEndedMonth, monthBefore } from "./months.ts";

/** What auditors keep: the signed head of a month's end, and what shows that it holds the end of the month before. */
export function MonthEnd() {
  const { t } = useI18n();
  const [field, problem] = [useId(), useId()];
  const now = useNow();
  const newest = lastEndedMonth(now);
  const [month, setMonth] = useState(newest);
  const isOver = hasEnded(month, now);
  return (
    <section className="month-end">
      <h3>{t("finance.month_end")}</h3>
      <p className="sub">{t("finance.month_end_text")}</p>
      <label className="label" htmlFor={field}>
        {t("finance.month")}
      </label>
      <div className="field">
        <input
          id={field}
          type="month"
          max={newest}
          value={month}
          aria-invalid={!isOver}
          aria-describedby={isOver ? undefined : problem}
          onChange={(event) => setMonth(event.target.value)}
        />
      </div>
      {isOver ? (
        <MonthFiles key={month} month={month} />
      ) : (
        <p id={problem} className="note bad" role="alert">
          {t("finance.month_under_way")}
        </p>
      )}
    </section>
  );
}

/** The files of a month that has ended, each asked for by its button. */
function MonthFiles({ month }: { month: string }) {
  const { t, lang } = useI18n();
  const failureText = useFailureText();
  const [before, day] = [lastDayOf(monthBefore(month)), lastDayOf(month)];
  const head = useOnePress({
    mutationFn: () => signedHead(day),
    onSuccess: (file) => save(file, `head-${day}.json`),
  });
  const proof = useOnePress({
    mutationFn: () => consistencyProof(before, day),
    onSuccess: (file) => save(file, `consistency-${before}-${day}.json`),
  });
  /** Without a head there is nothing to save: the log is younger, or signed none by then. */
  const why = (error: Error, missing: string) =>
    error instanceof ApiError && error.status === 404
      ? t("finance.month_no_head", { day: plainDay(missing, lang) })
      : failureText(error);
  return (
    <>
      <p className="row">
        <button type="button" className="btn sm" disabled={head.isPending} onClick={() => head.send()}>
          <Icon name="export" size="s" />
          {t("finance.month_head")}
        </button>
        <button type="button" className="btn sm" disabled={proof.isPending} onClick={() => proof.send()}>
          <Icon name="export" size="s" />
          {t("finance.month_consistency")}
        </button>
      </p>
      {[head.error === null ? null : why(head.error, day), proof.error === null ? null : why(proof.error, before)].map(
        (words) =>
          words === null ? null : (
            <p key={words} className="note bad" role="alert">
              {words}
            </p>
          ),
      )}
    </>
  );
}
