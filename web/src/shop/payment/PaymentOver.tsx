import type { Payment } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { useNextPayment } from "./enquiryOf.ts";
import { AskAbout, Outcome } from "./Outcome.tsx";
import { LinkOver } from "./PaymentLink.tsx";
import { PriceSummary } from "./PriceSummary.tsx";

/** Taken back or past its end before anything was paid: says why, that nothing was taken, and leads on. */
export function PaymentOver({ payment }: { payment: Payment }) {
  return payment.link === null ? <OwnPaymentOver payment={payment} /> : <LinkOver payment={payment} />;
}

function OwnPaymentOver({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const next = useNextPayment(payment);
  const how = causeOf(payment);
  return (
    <Outcome
      icon="clock"
      tone="warning"
      title={t(`payment.over_${how}_title`)}
      aside={<PriceSummary payment={payment} outcome="nothing" />}
    >
      <p className="t-18 soft flow-lead">{t(`payment.over_${how}_text`)}</p>
      {next === null ? <p className="soft">{t("payment.over_ask")}</p> : null}
      <div className="row wrapx flow-acts">
        {next === null ? null : (
          <ButtonLink look="primary" href={next}>
            {t(how === "replaced" ? "payment.over_to_new" : "payment.over_again")}
          </ButtonLink>
        )}
        <AskAbout />
      </div>
    </Outcome>
  );
}

function causeOf(payment: Payment): "expired" | "replaced" | "cancelled" {
  if (payment.cancelled_at === null) return "expired";
  return payment.withdrawn_by === "replacement" ? "replaced" : "cancelled";
}
