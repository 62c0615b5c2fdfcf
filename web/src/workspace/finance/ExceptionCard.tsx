import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { ReconciliationException } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { writeMoney, writeSigned } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { dropKeptWords, useKeptWords } from "../keptDraft.ts";
import { useOnePress } from "../useOnePress.ts";
import { proposeMending } from "./reconciliationCalls.ts";

/** What does not agree: both amounts, why, and the posting that would mend it. */
export function ExceptionCard({ exception }: { exception: ReconciliationException }) {
  const { t, lang } = useI18n();
  const [isAsking, setAsking] = useState(false);
  const { check, decimals, currency, there_minor, here_minor, mending, approval_id, payment_id } = exception;
  const money = (minor: number | null) => (minor === null ? "—" : writeMoney(minor, { decimals, currency }));
  return (
    <article className="rm-one ill">
      <header>
        <h3 className="num">{writeSigned(exception.difference_minor, { decimals, currency })}</h3>
        <p className="sub num grow">
          {fullMoment(exception.at, lang)} · <span className="mono">{exception.source ?? exception.item}</span>
        </p>
        <span className="chip bad">{t(`reconciliation.check_${check}`)}</span>
      </header>
      <p className="num">
        {t("reconciliation.there")} {money(there_minor)} · {t("reconciliation.here")} {money(here_minor)}
        {payment_id === null ? null : (
          <>
            {" "}
            ·{" "}
            <Link className="quiet-link" to="/workspace/finance" search={{ payment: payment_id }}>
              {exception.payment_reference}
            </Link>
          </>
        )}
      </p>
      <p className="muted">{t(`reconciliation.because_${check}`)}</p>
      {mending === null ? null : (
        <p className="sub">
          {t("reconciliation.mending", {
            debit: t(`finance.account_${mending.debit}`),
            credit: t(`finance.account_${mending.credit}`),
            amount: writeMoney(mending.amount_minor, { decimals, currency }),
          })}{" "}
          {approval_id === null ? (
            <button type="button" className="btn sm" onClick={() => setAsking(true)}>
              {t("reconciliation.propose")}
            </button>
          ) : (
            <Link className="quiet-link" to="/workspace/approvals">
              {t("reconciliation.waits")}
            </Link>
          )}
        </p>
      )}
      {isAsking ? <ProposeDialog exception={exception} onClose={() => setAsking(false)} /> : null}
    </article>
  );
}

function ProposeDialog({ exception, onClose }: { exception: ReconciliationException; onClose: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [field, problem] = [useId(), useId()];
  const about = `mending/${exception.item}`;
  const [reason, setReason] = useKeptWords(about);
  const { mending, decimals, currency } = exception;
  const press = useOnePress({
    mutationFn: () => proposeMending(exception.item, reason),
    onSuccess: () => {
      dropKeptWords(about);
      toast(t("reconciliation.was_proposed"));
      onClose();
      void client.invalidateQueries({ queryKey: ["approvals"] });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["reconciliation"] }),
  });
  const amount = writeMoney(mending?.amount_minor ?? 0, { decimals, currency });
  return (
    <DecisionDialog
      title={t("reconciliation.propose_title", { amount })}
      press={press}
      go={t("reconciliation.propose")}
      ready={reason.trim() !== ""}
      problemId={problem}
      onClose={onClose}
    >
      <p>{t("reconciliation.propose_text")}</p>
      <label className="label" htmlFor={field}>
        {t("reconciliation.propose_field")}
      </label>
      <input
        id={field}
        className="field"
        data-first
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        aria-invalid={press.error !== null}
        aria-describedby={press.error === null ? undefined : problem}
      />
    </DecisionDialog>
  );
}
