import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newKey } from "../../api.ts";
import type { FailedRefund } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { writeMoney } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { dropKeptWords } from "../keptDraft.ts";
import { ReasonDialog } from "../ReasonDialog.tsx";
import { useMe } from "../session.ts";
import { Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { failedRefundsQuery, payElsewhere } from "./returnedCalls.ts";

interface FailedRefundsProps {
  onOpen: (paymentId: string) => void;
  onRefund: (paymentId: string) => void;
}

/** Refunds that a bank sent back, above everything else: each is sent again, or paid in another way. Without any it takes no room. */
export function FailedRefunds({ onOpen, onRefund }: FailedRefundsProps) {
  const { t } = useI18n();
  const { data, error, dataUpdatedAt, refetch } = useQuery(failedRefundsQuery);
  if (error !== null) return <Stopped error={error} fetchedAt={dataUpdatedAt} onRetry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="returned" aria-labelledby="returned">
      <h2 id="returned">
        {t("returned.title")} <span className="chip bad num">{data.length}</span>
      </h2>
      <p className="sub">{t("returned.text")}</p>
      <ul className="rm-list">
        {data.map((refund) => (
          <li key={refund.refund_id}>
            <Returned refund={refund} onOpen={onOpen} onRefund={onRefund} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Returned({ refund, onOpen, onRefund }: FailedRefundsProps & { refund: FailedRefund }) {
  const { t, lang } = useI18n();
  const me = useMe();
  const [isAsking, setIsAsking] = useState(false);
  const amount = writeMoney(refund.amount_minor, refund);
  return (
    <article className="rm-one ill">
      <header>
        <h3 className="num grow">
          <button type="button" className="quiet-link" onClick={() => onOpen(refund.payment_id)}>
            {t("returned.one", { amount, reference: refund.reference })}
          </button>
        </h3>
        <button type="button" className="btn sm" disabled={!me.can.finance} onClick={() => onRefund(refund.payment_id)}>
          {t("returned.again")}
        </button>
        <button type="button" className="btn sm" disabled={!me.can.finance} onClick={() => setIsAsking(true)}>
          {t("returned.elsewhere")}
        </button>
      </header>
      <p className="muted">
        {t("returned.because", { reason: refund.reason, at: fullMoment(refund.failed_at, lang) })}
      </p>
      <p className="sub">{t(refund.was_announced ? "returned.announced" : "returned.not_announced")}</p>
      {isAsking ? <Elsewhere refund={refund} amount={amount} onClose={() => setIsAsking(false)} /> : null}
    </article>
  );
}

interface ElsewhereProps {
  refund: FailedRefund;
  amount: string;
  onClose: () => void;
}

function Elsewhere({ refund, amount, onClose }: ElsewhereProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [intent] = useState(newKey);
  const about = `paid-elsewhere/${refund.refund_id}`;
  const sending = useOnePress({
    mutationFn: (reason: string) => payElsewhere(refund, reason, intent),
    onSuccess: () => {
      dropKeptWords(about);
      toast(t("returned.noted"));
      onClose();
      void client.invalidateQueries({ queryKey: ["dossier", refund.payment_id] });
      void client.invalidateQueries({ queryKey: ["audit"] });
    },
    onSettled: () => client.invalidateQueries({ queryKey: failedRefundsQuery.queryKey }),
  });
  return (
    <ReasonDialog
      about={about}
      title={t("returned.elsewhere_title", { amount })}
      text={t("returned.elsewhere_text")}
      label={t("returned.how")}
      act={t("returned.note")}
      sending={sending}
      onClose={onClose}
    />
  );
}
