import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { WaitingDecisions } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { waitingQuery } from "../queries.ts";
import { Bone, Empty, Stopped } from "../TableStates.tsx";
import { ApprovalCard } from "./ApprovalCard.tsx";
import { approvalsQuery } from "./approvalCalls.ts";
import { RequestCard } from "./RefundRequests.tsx";

/** All that waits for a decision: refunds that support asks for, refunds above a limit and corrections; those decided below. */
export function ApprovalsPage() {
  const { t } = useI18n();
  useEffect(() => {
    document.title = `${t("approvals.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <header className="head fin-h">
        <h1>{t("approvals.title")}</h1>
      </header>
      <div className="scroll rm prov" data-list-scroll>
        <p className="muted">{t("approvals.text")}</p>
        <Waiting />
        <Decided />
      </div>
    </main>
  );
}

function Waiting() {
  const { t } = useI18n();
  const asked = useQuery(waitingQuery);
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">
        {t("approvals.waiting")} {asked.data ? <span className="chip num">{asked.data.count}</span> : null}
      </h2>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {asked.data?.count === 0 ? <NoneWaits /> : null}
      {asked.data === undefined && asked.error === null ? (
        <div className="unseen" aria-busy="true">
          <NoneWaits />
        </div>
      ) : null}
      <ul className="rm-list">
        {asked.data?.decisions.map((decision) => (
          <li key={decision.request?.ask_id ?? decision.approval?.id}>
            <One decision={decision} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoneWaits() {
  const { t } = useI18n();
  return <Empty title={t("approvals.none")}>{t("approvals.none_text")}</Empty>;
}

function One({ decision: { request, approval, decider } }: { decision: WaitingDecisions["decisions"][number] }) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const show = (payment: string, refund: string | null) =>
    void navigate({ to: "/workspace/finance", search: { payment, refund } });
  return (
    <>
      {request === null ? null : (
        <RequestCard
          request={request}
          decider={t(`approvals.decider_${decider}`)}
          onOpen={(payment) => show(payment, null)}
          onRefund={(payment) => show(payment, "1")}
        />
      )}
      {approval === null ? null : <ApprovalCard approval={approval} />}
    </>
  );
}

function Decided() {
  const { t } = useI18n();
  const asked = useQuery(approvalsQuery(true));
  return (
    <section aria-labelledby="decided">
      <h2 id="decided">{t("approvals.decided")}</h2>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {asked.data === undefined && asked.error === null ? <Bone width={240} /> : null}
      {asked.data?.length === 0 ? <p className="sub">{t("approvals.none_decided")}</p> : null}
      <ul className="rm-list">
        {asked.data?.map((approval) => (
          <li key={approval.id}>
            <ApprovalCard approval={approval} />
          </li>
        ))}
      </ul>
    </section>
  );
}
