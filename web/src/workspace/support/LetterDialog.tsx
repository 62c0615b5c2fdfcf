import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { newKey } from "../../api.ts";
import type { Letter, TimelineEvent } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useFailureText } from "../failure.ts";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { readLetter } from "../queries.ts";
import { useOnePress } from "../useOnePress.ts";

/** A message's text, for a reason that is recorded in the lead's history (row I6). */
export function LetterDialog({ event, onClose }: { event: TimelineEvent; onClose: () => void }) {
  const { t } = useI18n();
  const heading = useId();
  const field = useId();
  const [reason, setReason] = useState("");
  const [letter, setLetter] = useState<Letter | null>(null);
  const [intent] = useState(newKey);
  const failureText = useFailureText();
  const client = useQueryClient();
  const asking = useOnePress({
    mutationFn: (why: string) => readLetter(event.stream_id, event.position, why, intent),
    onSuccess: (read) => {
      setLetter(read);
      void client.invalidateQueries({ queryKey: ["timeline", event.stream_id] });
    },
  });
  const submit = (pressed: FormEvent) => {
    pressed.preventDefault();
    if (reason.trim() !== "") asking.send(reason.trim());
  };
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <form className="dlg" onSubmit={submit}>
        <header>
          <h2 id={heading}>{letter === null ? t("support.letter_title") : letter.subject}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">
          {letter === null ? (
            <>
              <p className="muted">{t("support.letter_explained")}</p>
              <label className="label" htmlFor={field}>
                {t("support.letter_why")}
              </label>
              <div className="field">
                <input
                  id={field}
                  value={reason}
                  maxLength={300}
                  required
                  onChange={(typed) => setReason(typed.target.value)}
                />
              </div>
              {asking.error === null ? null : (
                <p className="note bad" role="alert">
                  {failureText(asking.error)}
                </p>
              )}
            </>
          ) : (
            <>
              <p className="sub">{t("support.letter_to", { to: letter.to })}</p>
              <p className="letter-text">{letter.body}</p>
            </>
          )}
        </div>
        <footer>
          <button type="button" className="btn" onClick={onClose}>
            {t(letter === null ? "workspace.cancel" : "support.letter_close")}
          </button>
          {letter === null ? (
            <button type="submit" className="btn pri" disabled={reason.trim() === "" || asking.isPending}>
              {t(asking.isPending ? "support.letter_asking" : "support.letter_show")}
            </button>
          ) : null}
        </footer>
      </form>
    </Overlay>
  );
}
