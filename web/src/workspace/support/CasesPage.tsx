import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import type { CaseItem, CaseListPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { serverNow } from "../../serverClock.ts";
import { fullMoment } from "../clock.ts";
import { Masked } from "../Masked.tsx";
import { type BoneColumn, Empty, LoadingRows, pressRow, Stopped } from "../TableStates.tsx";
import { casesQuery } from "./caseCalls.ts";
import { type CaseView, caseQuery, VIEWS } from "./caseFilters.ts";

const BONES: readonly BoneColumn[] = [
  ["", { width: 90 }],
  ["", { width: 80 }],
  ["", { width: 220 }, { width: 160, look: "s" }],
  ["", { width: 90 }],
  ["", { width: 60 }],
];

/** What an empty view says where it is not that nothing waits for an answer. */
const EMPTY: Partial<Record<CaseView, "desk.empty_my_team" | "desk.empty_mentions" | "desk.empty_closed">> = {
  my_team: "desk.empty_my_team",
  mentions: "desk.empty_mentions",
  closed: "desk.empty_closed",
};

/** The queue of conversations: what waits for us first, the most urgent on top (row G4). Words are read in the conversation alone (row I6). */
export function CasesPage() {
  const { t } = useI18n();
  const filters = useSearch({ from: "/workspace/cases" });
  const cases = useQuery(casesQuery(caseQuery(filters)));
  const { data, error } = cases;
  const shown = filters.view ?? VIEWS[0];
  useEffect(() => {
    document.title = `${t("workspace.cases")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("workspace.cases")}</h1>
      </div>
      <nav className="tabs" aria-label={t("desk.tabs")}>
        {VIEWS.map((view) => (
          <Link key={view} to="/workspace/cases" search={{ view }} aria-current={shown === view ? "page" : undefined}>
            {t(`desk.${view}`)} <span>{data?.counts[view] ?? ""}</span>
          </Link>
        ))}
      </nav>
      {error === null ? null : (
        <Stopped error={error} fetchedAt={cases.dataUpdatedAt} onRetry={() => void cases.refetch()} />
      )}
      <div className="scroll" data-list-scroll>
        {data?.result.length === 0 ? (
          <Empty title={t("desk.empty_title")}>{t(EMPTY[shown] ?? "desk.empty")}</Empty>
        ) : (
          <Table rows={data?.result} />
        )}
        {data === undefined ? null : <Pages meta={data.meta} view={shown} />}
      </div>
    </main>
  );
}

function Table({ rows }: { rows: CaseItem[] | undefined }) {
  const { t } = useI18n();
  return (
    <table className="tbl cases">
      <caption className="vh">{t("desk.table")}</caption>
      <thead>
        <tr>
          <th>{t("desk.due")}</th>
          <th>{t("desk.person")}</th>
          <th>{t("desk.topic")}</th>
          <th className="c-wide">{t("desk.last")}</th>
          <th className="c-wide">{t("desk.owner")}</th>
        </tr>
      </thead>
      {rows === undefined ? (
        <LoadingRows columns={BONES} />
      ) : (
        <tbody>
          {rows.map((row) => (
            <Row key={row.case_id} row={row} />
          ))}
        </tbody>
      )}
    </table>
  );
}

function Row({ row }: { row: CaseItem }) {
  const { t, lang } = useI18n();
  const go = useNavigate();
  const open = () => void go({ to: "/workspace/cases/$caseId", params: { caseId: row.case_id } });
  const isLate = row.due_at !== null && Date.parse(row.due_at) < serverNow();
  return (
    <tr onClick={(event) => pressRow(event, () => undefined, open)}>
      <td>
        {row.due_at === null ? (
          <span className="muted">—</span>
        ) : (
          <span className={isLate ? "sla late num" : "sla num"}>{fullMoment(row.due_at, lang)}</span>
        )}
      </td>
      <td>
        <Masked value={row.name_masked} />
        <div className="sub num">{row.reference ?? ""}</div>
      </td>
      <td>
        <Link to="/workspace/cases/$caseId" params={{ caseId: row.case_id }} className="b">
          {row.is_erased ? t("desk.erased") : t(`desk.topic_${row.topic}`)}
        </Link>
        <div className="sub">{t(`desk.newest_${row.last_side}`, { count: row.message_count })}</div>
      </td>
      <td className="c-wide">{fullMoment(row.last_at, lang)}</td>
      <td className="c-wide">
        {row.owner_name ?? <span className="muted">{t("desk.nobody")}</span>}
        {row.team === null ? null : <div className="sub">{row.team}</div>}
      </td>
    </tr>
  );
}

function Pages({ meta, view }: { meta: CaseListPage["meta"]; view: (typeof VIEWS)[number] }) {
  const { t } = useI18n();
  if (meta.pages <= 1) return null;
  return (
    <div className="row pad-b">
      {meta.prev === null ? null : (
        <Link className="btn sm" to="/workspace/cases" search={{ view, p: meta.prev }}>
          {t("desk.before")}
        </Link>
      )}
      <span className="sub num">{t("desk.page", { page: meta.current_page, pages: meta.pages })}</span>
      {meta.next === null ? null : (
        <Link className="btn sm" to="/workspace/cases" search={{ view, p: meta.next }}>
          {t("desk.more")}
        </Link>
      )}
    </div>
  );
}
