import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { ApiError, newKey } from "../../../api.ts";
import type { LeadRow, WhatIf, WhatIfApplied } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { toast } from "../../../ui/toast.tsx";
import { FailureNote } from "../../FailureNote.tsx";
import { dropKeptWords, useKeptWords } from "../../keptDraft.ts";
import { useOnePress } from "../../useOnePress.ts";
import { applyBranch, type Step } from "./whatIfCalls.ts";

interface ApplyFormProps {
  lead: LeadRow;
  /** `undefined` until the steps were tried. */
  tried: WhatIf | undefined;
  steps: readonly Step[];
  /** Tried under other conditions: for looking alone. */
  isConditional: boolean;
  /** Tries the same steps again, from now. */
  onAgain: () => void;
  onClose: () => void;
}

/** Applies what was tried, with a reason, or drops it. */
export function ApplyForm({ lead, tried, steps, isConditional, onAgain, onClose }: ApplyFormProps) {
  const { t } = useI18n();
  const [why, problem] = [useId(), useId()];
  const [reason, setReason] = useKeptWords(aboutOf(lead));
  const applying = useApplying(lead, steps, onClose);
  const isPast = tried?.from != null;
  const isLookedAt = isPast || isConditional;
  const isReady = tried?.can_apply === true && reason.trim().length >= 3;
  const { error } = applying;
  const isOld = error instanceof ApiError && error.code === "what_if_changed";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) applying.send({ tried, reason: reason.trim() });
  };
  return (
    <form onSubmit={submit}>
      <div className="body">
        {isLookedAt ? <p className="note">{t(isPast ? "what_if.past" : "what_if.conditional")}</p> : null}
        {isLookedAt ? null : (
          <>
            <label className="label" htmlFor={why}>
              {t("what_if.why")}
            </label>
            <textarea
              id={why}
              className="area"
              rows={2}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              aria-describedby={error === null ? undefined : problem}
            />
          </>
        )}
        <FailureNote id={problem} error={error} />
        {isOld ? (
          <button type="button" className="btn sm" onClick={onAgain}>
            {t("what_if.again")}
          </button>
        ) : null}
      </div>
      <footer>
        <button type="button" className="btn" onClick={onClose}>
          {t("what_if.drop")}
        </button>
        {isLookedAt ? null : (
          <button type="submit" className="btn pri" disabled={!isReady || applying.isPending}>
            {t("what_if.apply")}
          </button>
        )}
      </footer>
    </form>
  );
}

/** Under what the reason is kept until the branch was applied. */
const aboutOf = (lead: LeadRow) => `what-if/${lead.lead_id}`;

interface Asked {
  tried: WhatIf;
  reason: string;
}

/** One press applies a branch once, however often it is sent. */
function useApplying(lead: LeadRow, steps: readonly Step[], onClose: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [intent] = useState(newKey);
  return useOnePress<WhatIfApplied, Asked>({
    mutationFn: ({ tried, reason }) => applyBranch(lead.lead_id, tried, steps, reason, `${intent}-${tried.branch}`),
    onSuccess: ({ approvals }) => {
      dropKeptWords(aboutOf(lead));
      toast(t(approvals.length === 0 ? "what_if.applied" : "what_if.applied_waits"));
      onClose();
    },
    onSettled: () => {
      for (const key of ["leads", "lead-desk", "approvals", "audit"])
        void client.invalidateQueries({ queryKey: [key] });
      void client.invalidateQueries({ queryKey: ["timeline", lead.lead_id] });
    },
  });
}
