import type { Payment } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { joinSentences } from "../../i18n/sentences.ts";
import * as paths from "../../paths.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { AskAbout, Facts, OpenReceipt, Outcome } from "./Outcome.tsx";
import { PriceSummary, useAmount } from "./PriceSummary.tsx";

/** The room is not theirs any more; what became of the money is said beside it. */
export function Ended({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  return (
    <Outcome
      icon="info"
      tone="info"
      title={t("payment.given_back_title")}
      aside={<PriceSummary payment={payment} outcome="paid" />}
    >
      <p className="t-18 soft flow-lead">
        {joinSentences(useMoneyBack(payment), t("payment.ended_room", { room: payment.room.name }))}
      </p>
      <Facts
        rows={[
          { name: t("payment.reference"), value: <span className="ref">{payment.reference}</span> },
          { name: t("payment.receipt"), value: <OpenReceipt payment={payment} /> },
        ]}
      />
      <div className="row wrapx flow-acts">
        <ButtonLink look="primary" href={paths.property(payment.inventory_root.canonical_name)}>
          {t("payment.see_rooms")}
        </ButtonLink>
        <AskAbout />
      </div>
    </Outcome>
  );
}

/** What went back, and what the payer's bank has. */
function useMoneyBack(payment: Payment): string {
  const { t } = useI18n();
  const amount = useAmount(payment);
  const { refunded_minor, bank_has, total_minor } = payment;
  if (refunded_minor >= total_minor) return t("payment.given_back_text", { amount: amount(refunded_minor) });
  const back = refunded_minor > 0 ? [t("payment.part_back", { amount: amount(refunded_minor) })] : [];
  return joinSentences(...back, ...(bank_has === null ? [] : [bank_has]));
}
