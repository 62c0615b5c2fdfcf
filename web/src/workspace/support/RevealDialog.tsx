import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { newKey } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { useKeptDraft } from "../keptDraft.ts";
import { reveal } from "../queries.ts";
import { ReasonChoice } from "../ReasonChoice.tsx";
import { useOnePress } from "../useOnePress.ts";
import { keepRevealed } from "./revealed.ts";

/** Why somebody looks: recorded in the lead's own history, word for word. */
const REASONS = ["call_asked", "identity", "payment_problem", "other"] as const;
type Reason = (typeof REASONS)[number];

interface Draft {
  reason: Reason | null;
  note: string;
}

const drafts = new Map<string, Draft>();

interface RevealDialogProps {
  leadId: string;
  reference: string;
  onClose: () => void;
}

/** Asks why before personal data is shown for fifteen minutes (P: every look is an event). */
export function RevealDialog({ leadId, reference, onClose }: RevealDialogProps) {
  const { t } = useI18n();
  const [draft, setDraft] = useKeptDraft(drafts, leadId, () => ({ reason: null, note: "" }));
  const { reason, note } = draft;
  const client = useQueryClient();
  const [intent, setIntent] = useState(newKey);
  const asking = useOnePress({
    mutationFn: (why: string) => reveal(leadId, why, intent),
    onError: (failure) => {
      // A refused look was not recorded: the corrected one is a new intent.
      if ("kind" in failure && failure.kind === "refused") setIntent(newKey());
    },
    onSuccess: (revealed) => {
      drafts.delete(leadId);
      keepRevealed(client, leadId, revealed);
      void client.invalidateQueries({ queryKey: ["timeline", leadId] });
      onClose();
    },
  });
  const needsNote = reason === "other" && note.trim() === "";
  const send = () => {
    if (reason === null) return;
    const said = t(`support.reason_${reason}`);
    asking.send(note.trim() === "" ? said : `${said}: ${note.trim()}`);
  };
  return (
    <DecisionDialog
      title={t("support.reveal_title", { reference })}
      press={{ error: asking.error, isPending: asking.isPending, send }}
      go={t(asking.isPending ? "support.reveal_asking" : "support.reveal_show")}
      ready={reason !== null && !needsNote}
      missing={t(reason === null ? "support.needs_reason" : "support.reveal_needs_note")}
      onClose={onClose}
    >
      <p className="muted">{t("support.reveal_explained")}</p>
      <ReasonChoice
        legend={t("support.reveal_why")}
        reasons={REASONS}
        reason={reason}
        text={(one) => t(`support.reason_${one}`)}
        onChoose={(chosen) => setDraft({ ...draft, reason: chosen })}
      />
      <NoteField note={note} needed={reason === "other"} onChange={(typed) => setDraft({ ...draft, note: typed })} />
    </DecisionDialog>
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
