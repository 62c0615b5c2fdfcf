import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { Approval } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { joinSentences } from "../../i18n/sentences.ts";
import { toast } from "../../ui/toast.tsx";
import { writeMoney } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { dropKeptWords, useKeptWords } from "../keptDraft.ts";
import { useOnePress } from "../useOnePress.ts";
import { approve, decline } from "./approvalCalls.ts";

const amountOf = ({ amount_minor, decimals, currency }: Approval) => writeMoney(amount_minor, { decimals, currency });

/** One request: what, why and by whom; while it waits another person approves or declines it. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const { t, lang } = useI18n();
  const [asking, setAsking] = useState<"approve" | "decline" | null>(null);
  const { kind, decision, debit, credit, item, booking } = approval;
  const close = () => setAsking(null);
  const waits = decision === null && approval.answered_by === null;
  return (
    <article className="rm-one">
      <header>
        <h3 className="num">
          {t(`approvals.kind_${kind}`)} {amountOf(approval)}
        </h3>
        <p className="sub num grow">
          {t("approvals.asked", { name: approval.asked_by, at: fullMoment(approval.asked_at, lang) })}
        </p>
        {waits && !approval.own ? (
          <>
            <button type="button" className="btn sm" onClick={() => setAsking("approve")}>
              {t("approvals.approve")}
            </button>
            <button type="button" className="btn sm" onClick={() => setAsking("decline")}>
              {t("approvals.decline")}
            </button>
          </>
        ) : null}
        {decision === null ? null : (
          <span className={decision === "approved" ? "chip ok" : "chip bad"}>{t(`approvals.was_${decision}`)}</span>
        )}
      </header>
      <p className="muted">
        {approval.reason === null ? t("approvals.reason_gone") : t("approvals.reason", { reason: approval.reason })}
      </p>
      {approval.requested_by === null ? null : (
        <p className="sub">
          {joinSentences(
            t("approvals.on_request", { name: approval.requested_by }),
            approval.request_reason === null ? "" : t("approvals.because", { reason: approval.request_reason }),
          )}
        </p>
      )}
      <p className="sub">
        {approval.payment_id === null ? null : (
          <Link className="quiet-link" to="/workspace/finance" search={{ payment: approval.payment_id }}>
            {approval.payment_reference}
          </Link>
        )}
        {booking === null ? null : ` · ${t(`approvals.booking_${booking}`)}`}{" "}
        {debit === null || credit === null
          ? null
          : t("approvals.posting", {
              debit: t(`finance.account_${debit}`),
              credit: t(`finance.account_${credit}`),
            })}{" "}
        {item === null ? null : <span className="mono">{item}</span>}
      </p>
      <Decision approval={approval} />
      {waits ? <p className="sub">{t(approval.own ? "approvals.own" : "approvals.decider_second_person")}</p> : null}
      {asking === "approve" ? <ApproveDialog approval={approval} onClose={close} /> : null}
      {asking === "decline" ? <DeclineDialog approval={approval} onClose={close} /> : null}
    </article>
  );
}

/** Who decided and why, and by whom the request was answered otherwise. */
function Decision({ approval }: { approval: Approval }) {
  const { t, lang } = useI18n();
  const { decision, decided_by, decided_at, because } = approval;
  return (
    <>
      {decision === null || decided_at === null ? null : (
        <p className="sub">
          {joinSentences(
            t(`approvals.${decision}`, { name: decided_by ?? "", at: fullMoment(decided_at, lang) }),
            because === null ? "" : t("approvals.because", { reason: because }),
            because === null && approval.reason !== null ? t("approvals.no_reason") : "",
          )}
        </p>
      )}
      {approval.answered_by === null || approval.answered_at === null ? null : (
        <p className="sub">
          {t("approvals.answered", { name: approval.answered_by, at: fullMoment(approval.answered_at, lang) })}
        </p>
      )}
    </>
  );
}

interface DialogProps {
  approval: Approval;
  onClose: () => void;
}

/** One press that decides; every list that shows the request, its payment or its posting is read again. */
function useDeciding(decide: () => Promise<unknown>, said: string, onClose: () => void) {
  const client = useQueryClient();
  return useOnePress({
    mutationFn: decide,
    onSuccess: () => {
      toast(said);
      onClose();
      for (const key of ["dossier", "audit", "books", "reconciliation"]) {
        void client.invalidateQueries({ queryKey: [key] });
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] }),
  });
}

function ApproveDialog({ approval, onClose }: DialogProps) {
  const { t } = useI18n();
  const field = useId();
  const [reason, setReason] = useState("");
  const press = useDeciding(() => approve(approval.id, reason), t("approvals.was_approved"), onClose);
  return (
    <DecisionDialog
      title={t("approvals.approve_title", { amount: amountOf(approval) })}
      press={press}
      go={t("approvals.approve")}
      onClose={onClose}
    >
      <p>{t("approvals.approve_text")}</p>
      <label className="label" htmlFor={field}>
        {t("approvals.approve_field")}
      </label>
      <input
        id={field}
        className="field"
        data-first
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </DecisionDialog>
  );
}

function DeclineDialog({ approval, onClose }: DialogProps) {
  const { t } = useI18n();
  const [field, problem] = [useId(), useId()];
  const about = `decline/${approval.id}`;
  const [reason, setReason] = useKeptWords(about);
  const press = useDeciding(
    () => decline(approval.id, reason),
    t("approvals.was_declined"),
    () => {
      dropKeptWords(about);
      onClose();
    },
  );
  return (
    <DecisionDialog
      title={t("approvals.decline_title", { amount: amountOf(approval) })}
      press={press}
      go={t("approvals.decline")}
      ready={reason.trim() !== ""}
      problemId={problem}
      onClose={onClose}
    >
      <label className="label" htmlFor={field}>
        {t("approvals.decline_field")}
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
