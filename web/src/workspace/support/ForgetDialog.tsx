import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { forgetPerson } from "../queries.ts";
import { ReasonChoice } from "../ReasonChoice.tsx";
import { useOnePress } from "../useOnePress.ts";
import type { ForgetPersonProps } from "./ForgetPerson.tsx";

/** Why a person is erased: a word of a list, because it stays when everything about the person goes. */
const REASONS = ["asked", "not_needed", "unlawful"] as const;
type Reason = (typeof REASONS)[number];

/** The question before a person is erased. */
export function ForgetDialog({
  leadId,
  reference,
  onClose,
}: Omit<ForgetPersonProps, "past"> & { onClose: () => void }) {
  const { t } = useI18n();
  const [reason, setReason] = useState<Reason | null>(null);
  const [typed, setTyped] = useState("");
  const client = useQueryClient();
  const erasing = useOnePress({
    mutationFn: (why: Reason) => forgetPerson(leadId, { reason: why, confirm: typed.trim() }),
    onSuccess: () => {
      toast(t("support.forget_done"));
      void client.invalidateQueries();
      onClose();
    },
  });
  const matches = typed.trim().toLowerCase() === reference.toLowerCase();
  return (
    <DecisionDialog
      title={t("support.forget_title", { reference })}
      press={{ ...erasing, send: () => (reason === null ? undefined : erasing.send(reason)) }}
      go={t(erasing.isPending ? "support.forget_doing" : "support.forget_do")}
      look="danger"
      ready={matches && reason !== null}
      missing={t(reason === null ? "support.needs_reason" : "support.forget_needs")}
      onClose={onClose}
    >
      <p>{t("support.forget_explained")}</p>
      <p className="muted" style={{ marginTop: 8 }}>
        {t("support.forget_kept")}
      </p>
      <ReasonChoice
        legend={t("support.forget_why")}
        reasons={REASONS}
        reason={reason}
        text={(one) => t(`support.forget_${one}`)}
        onChoose={setReason}
      />
      <Confirm reference={reference} typed={typed} onType={setTyped} />
    </DecisionDialog>
  );
}

function Confirm({ reference, typed, onType }: { reference: string; typed: string; onType: (typed: string) => void }) {
  const { t } = useI18n();
  const id = useId();
  return (
    <>
      <label className="label" htmlFor={id}>
        {t("support.forget_confirm", { reference })}
      </label>
      <div className="field">
        <input
          id={id}
          value={typed}
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onType(event.target.value)}
        />
      </div>
    </>
  );
}
