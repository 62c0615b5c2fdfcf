import { Link } from "@tanstack/react-router";
import { useI18n } from "../../i18n/i18n.tsx";

/** A double says so, and leads to the lead that goes on instead. */
export function DoubleBand({ kept }: { kept: string }) {
  const { t } = useI18n();
  return (
    <div className="referral" role="status">
      <p>{t("acts.is_double")}</p>
      <Link className="btn sm" to="/workspace/leads/$leadId" params={{ leadId: kept }}>
        {t("acts.open_kept")}
      </Link>
    </div>
  );
}
