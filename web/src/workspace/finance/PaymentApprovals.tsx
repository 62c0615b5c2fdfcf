import { useQuery } from "@tanstack/react-query";
import { useI18n } from "../../i18n/i18n.tsx";
import { ApprovalCard } from "./ApprovalCard.tsx";
import { paymentApprovalsQuery } from "./approvalCalls.ts";

/** What was asked of a second person about one payment: who asked, who decided, and why. */
export function PaymentApprovals({ paymentId }: { paymentId: string }) {
  const { t } = useI18n();
  const { data } = useQuery(paymentApprovalsQuery(paymentId));
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="at-prov">
      <h3>{t("approvals.title")}</h3>
      {data.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
    </section>
  );
}
