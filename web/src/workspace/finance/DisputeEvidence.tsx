import type { PaymentDossier } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";

/** A bank disputes the payment: what the log holds against it, to send on. */
export function DisputeEvidence({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  const isDisputed = dossier.events.some(({ ours }) => ours?.kind.startsWith("dispute_"));
  if (!isDisputed) return null;
  const address = `/api/v0/workspace/payments/${encodeURIComponent(dossier.payment_id)}/evidence`;
  return (
    <section className="note" style={{ display: "grid" }}>
      <p>{t("finance.evidence_text")}</p>
      <p className="row" style={{ flexWrap: "wrap" }}>
        <a className="btn sm" href={`${address}.pdf`} download>
          <Icon name="export" size="s" />
          {t("finance.evidence_pdf")}
        </a>
        <a className="btn sm" href={address} download={`${dossier.reference}-evidence.json`}>
          {t("finance.evidence_json")}
        </a>
      </p>
    </section>
  );
}
