import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { newKey } from "../../api.ts";
import type { LeadDesk, LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { faultsOf } from "../failure.ts";
import { useKeptDraft } from "../keptDraft.ts";
import { LabelledField } from "../LabelledField.tsx";
import { useOnePress } from "../useOnePress.ts";
import { ActFields } from "./ActFields.tsx";
import { actOnLead, addNote, assignTo } from "./actCalls.ts";
import { amountFault, askedOf, type Draft, EMPTY, isChosen } from "./actDraft.ts";
import { isWordless, type MenuAct } from "./actList.ts";

interface ActFormProps {
  lead: LeadRow;
  desk: LeadDesk;
  act: MenuAct;
  onBack: () => void;
  onDone: () => void;
}

const drafts = new Map<string, Draft>();

/** One act with its fields and its reason; what was typed stays when the server refuses, and when the dialog is closed. */
export function ActForm({ lead, desk, act, onBack, onDone }: ActFormProps) {
  const { t } = useI18n();
  const about = `${act}/${lead.lead_id}`;
  const [draft, setDraft] = useKeptDraft(drafts, about, () => ({
    ...EMPTY,
    team: desk.team ?? "",
    room: desk.room ?? "",
    moveIn: desk.stay.move_in_date ?? "",
    length: desk.stay.lease_duration ?? "",
    kept: desk.candidates[0]?.lead_id ?? "",
  }));
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const sending = useDoing(lead, desk, act, () => {
    drafts.delete(about);
    onDone();
  });
  const [pressed, setPressed] = useState(false);
  const refused = amountFault(t, act, draft, desk.payment);
  const faults = pressed && refused !== null ? new Map([["amount_minor", refused]]) : faultsOf(sending.error);
  const needsWords = !isWordless(act, draft.cause);
  const ready = isChosen(act, draft) && (!needsWords || draft.reason.trim().length >= 3);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setPressed(true);
    if (ready && refused === null) sending.send(draft);
  };
  return (
    <form onSubmit={submit} noValidate>
      <p className="sub">{t(`acts.${act}_text`)}</p>
      <ActFields {...{ act, desk, draft, faults }} onChange={change} />
      <LabelledField
        label={t(act === "note" ? "acts.note_words" : needsWords ? "acts.why" : "acts.why_optional")}
        fault={faults.get(act === "note" ? "note" : "reason")}
      >
        {(its) => (
          <textarea
            {...its}
            className="area"
            maxLength={act === "note" ? 2_000 : 500}
            value={draft.reason}
            onChange={(event) => change({ reason: event.target.value })}
          />
        )}
      </LabelledField>
      {act === "note" && desk.colleagues.length > 0 ? (
        <p className="sub">
          {t("acts.mention_hint", { names: desk.colleagues.map(({ handle }) => `@${handle}`).join(" ") })}
        </p>
      ) : null}
      {faults.size === 0 ? <FailureNote error={sending.error} /> : null}
      <div className="row">
        <button type="button" className="btn" onClick={onBack}>
          {t("acts.back")}
        </button>
        <button type="submit" className="btn pri" disabled={sending.isPending || !ready}>
          {t(`acts.${act}`)}
        </button>
      </div>
    </form>
  );
}

/** The one press: the same press sent twice is one act. */
function useDoing(lead: LeadRow, desk: LeadDesk, act: MenuAct, onDone: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [intent, setIntent] = useState(newKey);
  return useOnePress<unknown, Draft>({
    mutationFn: (draft) => {
      if (act === "note") return addNote(lead.lead_id, draft.reason, intent);
      if (act === "assign")
        return assignTo(lead.lead_id, { owner: draft.owner === "" ? null : draft.owner, reason: draft.reason }, intent);
      return actOnLead(lead.lead_id, askedOf(act, draft, desk), intent);
    },
    onSuccess: (_, { meaning }) => {
      toast(t(act === "correct_contact" && meaning !== null ? `acts.meaning_${meaning}_done` : `acts.${act}_done`));
      onDone();
    },
    // What is changed after a refusal is another act.
    onError: () => setIntent(newKey()),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["leads"] });
      void client.invalidateQueries({ queryKey: ["lead-desk"] });
      void client.invalidateQueries({ queryKey: ["timeline", lead.lead_id] });
    },
  });
}
