import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { useFailureText } from "../failure.ts";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { forgetPerson } from "../queries.ts";
import { useOnePress } from "../useOnePress.ts";
import type { ForgetPersonProps } from "./ForgetPerson.tsx";
import { ReasonChoice } from "./ReasonChoice.tsx";

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
  const [reason, setReason] = useState<Reason>("asked");
  const [typed, setTyped] = useState("");
  const heading = useId();
  const failureText = useFailureText();
  const client = useQueryClient();
  const erasing = useOnePress({
    mutationFn: () => forgetPerson(leadId, { reason, confirm: typed.trim() }),
    onSuccess: () => {
      toast(t("support.forget_done"));
      void client.invalidateQueries();
      onClose();
    },
  });
  const matches = typed.trim().toLowerCase() === reference.toLowerCase();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (matches) erasing.send();
  };
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <form className="dlg" onSubmit={submit}>
        <header>
          <h2 id={heading}>{t("support.forget_title", { reference })}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">
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
          {erasing.error === null ? null : (
            <p className="note bad" role="alert">
              {failureText(erasing.error)}
            </p>
          )}
        </div>
        <footer>
          {matches ? null : <span className="sub grow">{t("support.forget_needs")}</span>}
          <button type="button" className="btn" onClick={onClose}>
            {t("workspace.cancel")}
          </button>
          <button type="submit" className="btn danger" disabled={!matches || erasing.isPending}>
            {t(erasing.isPending ? "support.forget_doing" : "support.forget_do")}
          </button>
        </footer>
      </form>
    </Overlay>
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
