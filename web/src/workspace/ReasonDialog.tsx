import { type FormEvent, useId, useState } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { useFailureText } from "./failure.ts";
import { CloseButton, Overlay } from "./Overlay.tsx";

interface ReasonDialogProps {
  title: string;
  text: string;
  label: string;
  act: string;
  sending: { isPending: boolean; error: Error | null; send: (reason: string) => void };
  onClose: () => void;
}

/** An act of staff that needs its reason in words: what it does, one field, and the press. */
export function ReasonDialog({ title, text, label, act, sending, onClose }: ReasonDialogProps) {
  const { t } = useI18n();
  const [heading, field, problem] = [useId(), useId(), useId()];
  const failureText = useFailureText();
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.send(reason.trim());
  };
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <form className="dlg" onSubmit={submit}>
        <header>
          <h2 id={heading}>{title}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">
          <p>{text}</p>
          <label className="label" htmlFor={field}>
            {label}
          </label>
          <textarea
            id={field}
            className="area"
            data-first
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            aria-invalid={sending.error !== null}
            aria-describedby={sending.error === null ? undefined : problem}
          />
          {sending.error === null ? null : (
            <p id={problem} className="note bad" role="alert">
              {failureText(sending.error)}
            </p>
          )}
        </div>
        <footer>
          <button type="button" className="btn" onClick={onClose}>
            {t("workspace.cancel")}
          </button>
          <button type="submit" className="btn pri" disabled={sending.isPending || reason.trim().length < 3}>
            {act}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
