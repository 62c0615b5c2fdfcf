import { type ReactNode, useId } from "react";
import { DecisionDialog } from "./DecisionDialog.tsx";
import { useKeptWords } from "./keptDraft.ts";

interface ReasonDialogProps {
  /** What is decided and about which thing: its words are kept under it until they were sent. */
  about: string;
  title: string;
  text: string;
  label: string;
  act: string;
  sending: { isPending: boolean; error: Error | null; send: (reason: string) => void };
  onClose: () => void;
  /** Drawn below the field, such as what will happen. */
  children?: ReactNode;
}

/** A decision of staff that needs its reason in words: what it does, one field, and the press. */
export function ReasonDialog({ about, title, text, label, act, sending, onClose, children }: ReasonDialogProps) {
  const [field, problem] = [useId(), useId()];
  const [reason, setReason] = useKeptWords(about);
  const { error, isPending } = sending;
  return (
    <DecisionDialog
      title={title}
      press={{ error, isPending, send: () => sending.send(reason.trim()) }}
      go={act}
      ready={reason.trim().length >= 3}
      problemId={problem}
      onClose={onClose}
    >
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
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : problem}
      />
      {children}
    </DecisionDialog>
  );
}
