import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { newKey } from "../../api.ts";
import type { RefundRequest } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import { toast } from "../../ui/toast.tsx";
import { writeMoney } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { dropKeptWords } from "../keptDraft.ts";
import { ReasonDialog } from "../ReasonDialog.tsx";
import { useOnePress } from "../useOnePress.ts";
import { declineRefund } from "./requestCalls.ts";

interface RequestCardProps {
  request: RefundRequest;
  /** Who may decide it. */
  decider: string;
  onOpen: (paymentId: string) => void;
  onRefund: (paymentId: string) => void;
}

/** What support asks finance to give back: refunded in the payment's own dialog, or declined. */
export function RequestCard({ request, decider, onOpen, onRefund }: RequestCardProps) {
  const { t } = useI18n();
  const [isDeclining, setIsDeclining] = useState(false);
  const amount = writeMoney(request.amount_minor ?? request.refundable_minor, request);
  return (
    <article className="rm-one">
      <header>
        <h3 className="num grow">
          <button type="button" className="quiet-link" onClick={() => onOpen(request.payment_id)}>
            {t(request.ends_booking ? "acts.request_cancellation" : "acts.request_refund", {
              amount,
              reference: request.reference,
            })}
          </button>
        </h3>
        <button type="button" className="btn sm" onClick={() => onRefund(request.payment_id)}>
          {t("acts.request_decide")}
        </button>
        <button type="button" className="btn sm" onClick={() => setIsDeclining(true)}>
          {t("acts.request_decline")}
        </button>
      </header>
      <RequestNote request={request} />
      <p className="sub">{decider}</p>
      {isDeclining ? <Decline request={request} amount={amount} onClose={() => setIsDeclining(false)} /> : null}
    </article>
  );
}

/** Who in support asks for money back and why, with the way to the lead. */
export function RequestNote({ request }: { request: RefundRequest }) {
  const { t, lang } = useI18n();
  const by = t("acts.request_by", { by: request.by, at: fullMoment(request.at, lang) });
  return (
    <p className="muted">
      {by}
      {spaceAfter(by)}
      {request.why === null ? null : <q>{request.why}</q>}{" "}
      <Link className="link" to="/workspace/leads/$leadId" params={{ leadId: request.lead_id }}>
        {t("acts.request_lead")}
      </Link>
    </p>
  );
}

interface DeclineProps {
  request: RefundRequest;
  amount: string;
  onClose: () => void;
}

function Decline({ request, amount, onClose }: DeclineProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [intent] = useState(newKey);
  const about = `decline/${request.ask_id}`;
  const sending = useOnePress({
    mutationFn: (reason: string) => declineRefund(request.ask_id, reason, intent),
    onSuccess: () => {
      dropKeptWords(about);
      toast(t("acts.request_declined"));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] }),
  });
  return (
    <ReasonDialog
      about={about}
      title={t("acts.request_decline_title", { amount })}
      text={t("acts.request_decline_text", { by: request.by })}
      label={t("acts.why")}
      act={t("acts.request_decline")}
      sending={sending}
      onClose={onClose}
    />
  );
}
