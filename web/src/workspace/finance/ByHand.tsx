import type { AuditRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";

/** Who moved money by hand and why, and who approved it; of any other event what the server says of it. */
export function ByHand({ row }: { row: AuditRow }) {
  const { t } = useI18n();
  const act = row.by_hand;
  if (act === null) return row.detail;
  const asked = t("finance.act_asked", { name: act.asked_by, reason: act.reason ?? t("finance.act_no_reason") });
  if (act.approved_by === null) return asked;
  const reason = act.approval_reason ?? t("finance.act_no_reason");
  return `${asked} · ${t("finance.act_approved", { name: act.approved_by, reason })}`;
}
