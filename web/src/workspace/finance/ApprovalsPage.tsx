import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { Bone, Empty, Stopped } from "../TableStates.tsx";
import { ApprovalCard } from "./ApprovalCard.tsx";
import { approvalsQuery } from "./approvalCalls.ts";

/** Requests for a second person: refunds above a limit and corrections of the books, those that wait before those decided. */
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
        <Requests decided={false} />
        <Requests decided={true} />
      </div>
    </main>
  );
}

function Requests({ decided }: { decided: boolean }) {
  const { t } = useI18n();
  const asked = useQuery(approvalsQuery(decided));
  const heading = decided ? "decided" : "waiting";
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{t(`approvals.${heading}`)}</h2>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {asked.data === undefined && asked.error === null ? <Bone width={240} /> : null}
      {asked.data?.length !== 0 ? null : decided ? (
        <p className="sub">{t("approvals.none_decided")}</p>
      ) : (
        <Empty title={t("approvals.none")}>{t("approvals.none_text")}</Empty>
      )}
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
