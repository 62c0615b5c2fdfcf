import "../styles/dialog.css";
import { useEffect, useId, useRef } from "react";
import type { Payment } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { enterTop } from "../../ui/topDialog.ts";
import { useAmount } from "./PriceSummary.tsx";
import type { PaymentMachineEvent } from "./paymentMachine.ts";

interface ChallengeProps {
  payment: Payment;
  send: (event: PaymentMachineEvent) => void;
  /** An answer is on its way. */
  answering: boolean;
}

/** The bank's question (3-D Secure). It cannot be closed by accident: the bank waits for a yes or a no. */
export function Challenge({ payment, send, answering }: ChallengeProps) {
  if (payment.status !== "processing" || payment.next_action === null) return null;
  return <ChallengeDialog payment={payment} send={send} answering={answering} />;
}

function ChallengeDialog({ payment, send, answering }: ChallengeProps) {
  const { t } = useI18n();
  const amount = useAmount(payment)(payment.total_minor);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    const leaveTop = element ? enterTop(element) : null;
    const stay = (event: Event) => event.preventDefault();
    element?.addEventListener("cancel", stay);
    return () => {
      leaveTop?.();
      element?.removeEventListener("cancel", stay);
    };
  }, []);
  const answer = (outcome: "pass" | "fail") => () => send({ type: "challenge.answer", outcome });
  return (
    <dialog ref={dialog} className="modal modal-login" aria-labelledby={titleId}>
      <div className="dialog challenge">
        <div className="dialog-head">
          <h2 className="t-22 grow" id={titleId}>
            {t("payment.challenge_title")}
          </h2>
        </div>
        <div className="dialog-body">
          <p className="soft">{t("payment.challenge_text", { amount })}</p>
        </div>
        <div className="dialog-foot row between wrapx">
          <Button busy={answering} onClick={answer("fail")}>
            {t("payment.challenge_no")}
          </Button>
          <Button look="primary" busy={answering} onClick={answer("pass")}>
            {t("payment.challenge_yes")}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
