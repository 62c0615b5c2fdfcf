import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { newKey } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { DialogFrame } from "../DialogFrame.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { dropKeptWords, useKeptWords } from "../keptDraft.ts";
import { useOnePress } from "../useOnePress.ts";

/** What the dialog says before and after. */
interface LookWords {
  explained: string;
  why: string;
  show: string;
  asking: string;
  close: string;
}

interface RecordedLookProps<Seen> {
  title: (seen: Seen | null) => string;
  words: LookWords;
  /** The lead in whose history the look is recorded. */
  leadId: string;
  /** Asks for what is looked at; asked twice under one intent, it is recorded once. */
  look: (reason: string, intent: string) => Promise<Seen>;
  onClose: () => void;
  /** What was asked for; `again` looks once more for the same reason. */
  children: (seen: Seen, again: () => void) => ReactNode;
}

/** Personal data that is shown for a reason, which the lead's history keeps. */
export function RecordedLook<Seen>({ title, words, leadId, look, onClose, children }: RecordedLookProps<Seen>) {
  const { t } = useI18n();
  const about = `look/${leadId}/${title(null)}`;
  const [reason, setReason] = useKeptWords(about);
  const [seen, setSeen] = useState<Seen | null>(null);
  const [intent, setIntent] = useState(newKey);
  const client = useQueryClient();
  const asking = useOnePress({
    mutationFn: (why: string) => look(why, intent),
    onSuccess: (read) => {
      dropKeptWords(about);
      setSeen(read);
      // The next look is a look of its own.
      setIntent(newKey());
      void client.invalidateQueries({ queryKey: ["timeline", leadId] });
    },
  });
  const ask = () => {
    if (reason.trim() !== "") asking.send(reason.trim());
  };
  const footer = (
    <>
      <button type="button" className="btn" onClick={onClose}>
        {seen === null ? t("workspace.cancel") : words.close}
      </button>
      {seen === null ? (
        <button type="submit" className="btn pri" disabled={reason.trim() === "" || asking.isPending}>
          {asking.isPending ? words.asking : words.show}
        </button>
      ) : null}
    </>
  );
  return (
    <DialogFrame title={title(seen)} onSubmit={ask} footer={footer} onClose={onClose}>
      {seen === null ? (
        <>
          <p className="muted">{words.explained}</p>
          <ReasonField label={words.why} reason={reason} onReason={setReason} />
          <FailureNote error={asking.error} />
        </>
      ) : (
        children(seen, ask)
      )}
    </DialogFrame>
  );
}

interface ReasonFieldProps {
  label: string;
  reason: string;
  onReason: (reason: string) => void;
}

function ReasonField({ label, reason, onReason }: ReasonFieldProps) {
  const field = useId();
  return (
    <>
      <label className="label" htmlFor={field}>
        {label}
      </label>
      <div className="field">
        <input id={field} value={reason} maxLength={300} required onChange={(typed) => onReason(typed.target.value)} />
      </div>
    </>
  );
}
