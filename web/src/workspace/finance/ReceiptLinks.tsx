import type { PaymentDossier } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";

/** The receipt of a payment and the credit note of each refund, as the payer has them. */
export function ReceiptLinks({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  if (dossier.receipts.length === 0) return null;
  return (
    <p className="sub">
      {t("finance.receipts")}:{" "}
      {dossier.receipts.map((number) => (
        <a key={number} className="num" href={paths.receipt(number)} style={{ marginInlineEnd: 12 }}>
          {number}
        </a>
      ))}
    </p>
  );
}
