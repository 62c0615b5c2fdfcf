import { type FormEvent, useId, useState } from "react";
import { ApiError, post } from "../../api.ts";
import type { Payment } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import "./rating.css";

const scores = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
const wordsMax = 2_000;

type Problem = "rating.choose" | "rating.failed";
type Sending = { at: "asking" } | { at: "sending" } | { at: "problem"; says: Problem } | { at: "sent" };

/** After success, once for a booking: how likely the student is to recommend the house (D105). */
export function RatingCard({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const [score, setScore] = useState<number | null>(null);
  const [words, setWords] = useState("");
  const [sending, setSending] = useState<Sending>({ at: "asking" });
  const id = useId();
  if (payment.is_rated === null) return null;
  if (sending.at === "sent" || (payment.is_rated && sending.at === "asking")) {
    return (
      <p className="rating-thanks" data-step="NPS" role="status">
        {t("rating.thanks")}
      </p>
    );
  }
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (sending.at === "sending") return;
    if (score === null) return setSending({ at: "problem", says: "rating.choose" });
    setSending({ at: "sending" });
    try {
      await post("/api/v0/payments/{token}/rating", { path: { token: payment.token }, body: { score, words } });
      setSending({ at: "sent" });
    } catch (failure) {
      // Another tab was faster, or an answer was lost: it is there.
      const isThere = failure instanceof ApiError && failure.code === "already_rated";
      setSending(isThere ? { at: "sent" } : { at: "problem", says: "rating.failed" });
    }
  };
  return (
    <form className="card rate-card" data-step="NPS" onSubmit={send}>
      <Scores chosen={score} onChoose={setScore} />
      <div className="field">
        <label htmlFor={`${id}-words`}>{t("rating.words")}</label>
        <textarea
          id={`${id}-words`}
          className="input rating-words"
          rows={3}
          maxLength={wordsMax}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      <div className="row wrapx">
        <Button type="submit" look="quiet" busy={sending.at === "sending"}>
          {t("rating.send")}
        </Button>
        <span role="alert" className="rating-problem">
          {sending.at === "problem" ? t(sending.says) : ""}
        </span>
      </div>
    </form>
  );
}

function Scores({ chosen, onChoose }: { chosen: number | null; onChoose: (score: number) => void }) {
  const { t } = useI18n();
  const name = useId();
  return (
    <fieldset>
      <legend className="m">{t("rating.title")}</legend>
      <div className="rating-scores">
        {scores.map((one) => (
          <label key={one} className="rating-score">
            <input
              type="radio"
              name={name}
              value={one}
              checked={chosen === one}
              aria-label={t("rating.score", { score: one })}
              onChange={() => onChoose(one)}
            />
            <span aria-hidden="true">{one}</span>
          </label>
        ))}
      </div>
      <p className="t-14 muted rating-ends" aria-hidden="true">
        <span>{t("rating.least")}</span>
        <span>{t("rating.most")}</span>
      </p>
    </fieldset>
  );
}
