import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { DialogFrame } from "./DialogFrame.tsx";
import { FailureNote } from "./FailureNote.tsx";

interface DecisionDialogProps {
  title: string;
  /** The one press this dialog asks for, as `useOnePress` has it. */
  press: { error: Error | null; isPending: boolean; send: () => void };
  /** What the button says. */
  go: string;
  /** `danger` for what cannot be taken back. */
  look?: "pri" | "danger";
  /** Whether all is chosen that the press needs. */
  ready?: boolean;
  /** What it still needs, said beside the button until it is there. */
  missing?: string;
  /** Names the failure for the field that it is about. */
  problemId?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A question in the middle of the window, answered by one press; a failure is said above the buttons, and the dialog stays. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { title, press, go, look = "pri", ready = true, missing, problemId, onClose, children } = props;
  const { t } = useI18n();
  const footer = (
    <>
      {ready || missing === undefined ? null : <span className="sub grow">{missing}</span>}
      <button type="button" className="btn" onClick={onClose}>
        {t("workspace.cancel")}
      </button>
      <button type="submit" className={`btn ${look}`} disabled={press.isPending || !ready}>
        {go}
      </button>
    </>
  );
  const submit = () => {
    if (ready) press.send();
  };
  return (
    <DialogFrame title={title} onSubmit={submit} footer={footer} onClose={onClose}>
      {children}
      <FailureNote error={press.error} id={problemId} />
    </DialogFrame>
  );
}
