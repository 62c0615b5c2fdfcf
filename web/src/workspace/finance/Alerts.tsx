import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "../../api.ts";
import type { FinanceAlert } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";

const alertsQuery = queryOptions({
  queryKey: ["alerts"],
  queryFn: ({ signal }) => get("/api/v0/workspace/alerts", { signal }),
  refetchInterval: 30_000,
});

/** Where each is looked into. */
const PLACES = {
  failed_refunds: "/workspace/finance",
  broken_chain: "/workspace/finance",
  unknown_notices: "/workspace/provider",
  misfit_notices: "/workspace/provider",
  stuck_payments: "/workspace/finance",
  red_reconciliation: "/workspace/reconciliation",
  dispute_deadlines: "/workspace/finance",
  payments_refused: "/workspace/health",
  mails_refused: "/workspace/health",
  feeds_failed: "/workspace/health",
} as const satisfies Record<FinanceAlert["kind"], string>;

/** What needs finance now; nothing is shown where all is well. */
export function Alerts() {
  const { t } = useI18n();
  const { data } = useQuery(alertsQuery);
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="returned" aria-labelledby="alerts">
      <h2 id="alerts">{t("approvals.alerts")}</h2>
      <ul className="rm-list">
        {data.map(({ kind, count }) => (
          <li key={kind}>
            <Link
              className="quiet-link"
              to={PLACES[kind]}
              search={kind === "dispute_deadlines" ? { kind: "disputes" } : {}}
            >
              <Icon name="alert" size="s" /> {t(`approvals.alert_${kind}`, { n: count })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
