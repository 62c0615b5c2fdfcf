import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useI18n } from "../../i18n/i18n.tsx";
import { waitingQuery } from "../queries.ts";

/** How many decisions wait for finance, and the way to them. Without any it takes no room. */
export function WaitingBand() {
  const { t } = useI18n();
  const { data } = useQuery(waitingQuery);
  if (data === undefined || data.count === 0) return null;
  return (
    <p className="note row waiting">
      <span className="grow">{t("approvals.wait", { n: data.count })}</span>
      <Link className="btn sm" to="/workspace/approvals">
        {t("approvals.open")}
      </Link>
    </p>
  );
}
