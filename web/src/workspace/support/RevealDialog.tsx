import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { newKey } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useFailureText } from "../failure.ts";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { reveal } from "../queries.ts";
import { useOnePress } from "../useOnePress.ts";
import { ReasonChoice } from "./ReasonChoice.tsx";
import { keepRevealed } from "./revealed.ts";

/** Why somebody looks: recorded in the lead's own history, word for word. */
const REASONS = ["call_asked", "identity", "payment_problem", "other"] as const;
type Reason = (typeof REASONS)[number];

interface RevealDialogProps {
  leadId: string;
  reference: string;
  onClose: () => void;
}

/** Asks why before personal data is shown for fifteen minutes (P: every look is an event). */
export function RevealDialog({ leadId, reference, onClose }: RevealDialogProps) {
  const { t } = useI18n();
  const [reason, setReason] = useState<Reason>("call_asked");
  const [note, setNote] = useState("");
  const heading = useId();
  const failureText = useFailureText();
  const client = useQueryClient();
  const [intent, setIntent] = useState(newKey);
  const asking = useOnePress({
    mutationFn: (why: string) => reveal(leadId, why, intent),
    onError: (failure) => {
      // A refused look was not recorded: the corrected one is a new intent.
      if ("kind" in failure && failure.kind === "refused") setIntent(newKey());
    },
    onSuccess: (revealed) => {
      keepRevealed(client, leadId, revealed);
      void client.invalidateQueries({ queryKey: ["timeline", leadId] });
      onClose();
    },
  });
  const needsNote = reason === "other" && note.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (needsNote) return;
    const said = t(`support.reason_${reason}`);
    asking.send(note.trim() === "" ? said : `${said}: ${note.trim()}`);
  };
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <form className="dlg" onSubmit={submit}>
        <header>
          <h2 id={heading}>{t("support.reveal_title", { reference })}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">
          <p className="muted">{t("support.reveal_explained")}</p>
          <ReasonChoice
            legend={t("support.reveal_why")}
            reasons={REASONS}
            reason={reason}
            text={(one) => t(`support.reason_${one}`)}
            onChoose={setReason}
          />
          <NoteField note={note} needed={reason === "other"} onChange={setNote} />
          {asking.error === null ? null : (
            <p className="note bad" role="alert">
              {failureText(asking.error)}
            </p>
          )}
        </div>
        <footer>
          {needsNote ? <span className="sub grow">{t("support.reveal_needs_note")}</span> : null}
          <button type="button" className="btn" onClick={onClose}>
            {t("workspace.cancel")}
          </button>
          <button type="submit" className="btn pri" disabled={needsNote || asking.isPending}>
            {t(asking.isPending ? "support.reveal_asking" : "support.reveal_show")}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}

interface NoteFieldProps {
  note: string;
  needed: boolean;
  onChange: (note: string) => void;
}

function NoteField({ note, needed, onChange }: NoteFieldProps) {
  const { t } = useI18n();
  const id = useId();
  return (
    <>
      <label className="label" htmlFor={id}>
        {t("support.reveal_note")} {needed ? null : <span className="muted optional">{t("support.optional")}</span>}
      </label>
      <div className="field">
        <input
          id={id}
          value={note}
          maxLength={300}
          required={needed}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </>
  );
}
