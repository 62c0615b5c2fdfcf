import { type FormEvent, type ReactNode, useId } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { useFailureText } from "./failure.ts";
import { CloseButton, Overlay } from "./Overlay.tsx";

interface DecisionDialogProps {
  title: string;
  /** The one press this dialog asks for, as `useOnePress` has it. */
  press: { error: Error | null; isPending: boolean; send: () => void };
  /** What the button says. */
  go: string;
  /** Whether all is chosen that the press needs. */
  ready?: boolean;
  /** Names the failure for the field that it is about. */
  problemId?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A question in the middle of the window, answered by one press; a failure is said above the buttons, and the dialog stays. */
export function DecisionDialog({ title, press, go, ready = true, problemId, onClose, children }: DecisionDialogProps) {
  const { t } = useI18n();
  const heading = useId();
  const failureText = useFailureText();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) press.send();
  };
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <form className="dlg" onSubmit={submit}>
        <header>
          <h2 id={heading}>{title}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">
          {children}
          {press.error === null ? null : (
            <p id={problemId} className="note bad" role="alert">
              {failureText(press.error)}
            </p>
          )}
        </div>
        <footer>
          <button type="button" className="btn" onClick={onClose}>
            {t("workspace.cancel")}
          </button>
          <button type="submit" className="btn pri" disabled={press.isPending || !ready}>
            {go}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
