import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId } from "react";
import { buildAddress, get } from "../../api.ts";
import type { DeskReport, ReportGroup } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";
import { fileAddress } from "../pastMoment.ts";
import { Scrolling } from "../Scrolling.tsx";
import { Empty, Stopped } from "../TableStates.tsx";
import { Bars } from "./Bars.tsx";
import type { ReportFilters } from "./reportFilters.ts";

const route = getRouteApi("/workspace/report");

const reportQuery = (query: ReportFilters) =>
  queryOptions({
    queryKey: ["desk-report", query],
    queryFn: ({ signal }) => get("/api/v0/workspace/leads/report", { query, signal }),
    placeholderData: keepPreviousData,
  });

/** Answer times, the way to a booking and declined cards, drawn and as tables. */
export function ReportPage() {
  const { t } = useI18n();
  const filters = route.useSearch();
  const report = useQuery(reportQuery(filters));
  useEffect(() => {
    document.title = `${t("report.title")} · ${t("workspace.title")}`;
  }, [t]);
  const { data, error } = report;
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("report.title")}</h1>
        <a
          className="btn sm right"
          href={fileAddress(buildAddress("/api/v0/workspace/leads/report.csv", { query: filters }))}
          download
        >
          <Icon name="export" size="s" /> {t("report.csv")}
        </a>
      </div>
      <Period key={JSON.stringify(filters)} filters={filters} report={data} />
      {error === null ? null : (
        <Stopped error={error} fetchedAt={report.dataUpdatedAt} onRetry={() => void report.refetch()} />
      )}
      <div className="scroll report" aria-busy={report.isPending}>
        {data === undefined ? <p className="sub pad-b">{t("report.loading")}</p> : <Figures report={data} />}
      </div>
    </main>
  );
}

function Period({ filters, report }: { filters: ReportFilters; report: DeskReport | undefined }) {
  const { t } = useI18n();
  const navigate = route.useNavigate();
  const base = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (name: string) => String(form.get(name) ?? "") || null;
    void navigate({ search: { from: value("from"), to: value("to"), by: value("by") === "source" ? "source" : null } });
  };
  const day = (name: "from" | "to") => (
    <div>
      <label className="label" htmlFor={base + name}>
        {t(`report.${name}`)}
      </label>
      <input
        id={base + name}
        name={name}
        type="date"
        className="field sm"
        defaultValue={filters[name] ?? report?.[name] ?? ""}
      />
    </div>
  );
  return (
    <form className="filter-panel" onSubmit={submit} key={report?.from}>
      {day("from")}
      {day("to")}
      <div>
        <label className="label" htmlFor={`${base}by`}>
          {t("report.by")}
        </label>
        <select id={`${base}by`} name="by" className="field sm" defaultValue={filters.by ?? "week"}>
          <option value="week">{t("report.by_week")}</option>
          <option value="source">{t("report.by_source")}</option>
        </select>
      </div>
      <div className="row">
        <button type="submit" className="btn pri sm">
          {t("report.show")}
        </button>
      </div>
    </form>
  );
}

function Figures({ report }: { report: DeskReport }) {
  const { t } = useI18n();
  const { date } = useFormat();
  const span = useWait();
  if (report.whole.leads === 0 && report.declines.length === 0) {
    return <Empty title={t("report.empty_title")}>{t("report.empty")}</Empty>;
  }
  const groupName = ({ name }: ReportGroup) => (report.by === "week" ? date(name) : name || t("report.no_source"));
  return (
    <>
      <section aria-label={t("report.answers")}>
        <h2>{t("report.answers")}</h2>
        <p className="sub">
          {t("report.answered_of", { n: report.whole.answered, all: report.whole.leads })} · {t("report.median")}{" "}
          {span(report.whole.median_seconds)} · {t("report.p90")} {span(report.whole.p90_seconds)}
        </p>
        <Bars
          caption={t("report.answers")}
          head={[t(`report.by_${report.by}`), t("report.median"), t("report.p90")]}
          rows={report.groups.map((group) => ({
            name: groupName(group),
            values: [group.median_seconds ?? 0, group.p90_seconds ?? 0],
            shown: [span(group.median_seconds), span(group.p90_seconds)],
          }))}
        />
      </section>
      <Conversion report={report} groupName={groupName} />
      <Declines report={report} />
    </>
  );
}

function Conversion({ report, groupName }: { report: DeskReport; groupName: (group: ReportGroup) => string }) {
  const { t, tData } = useI18n();
  const { number } = useFormat();
  const { steps, leads } = report.whole;
  const share = (count: number, of: number) =>
    of === 0 ? "–" : t("report.share", { n: number(Math.round((100 * count) / of)) });
  return (
    <section aria-label={t("report.conversion")}>
      <h2>{t("report.conversion")}</h2>
      <Bars
        caption={t("report.conversion")}
        head={[t("report.step"), t("report.leads")]}
        rows={steps.map(({ step, count }) => ({
          name: tData(`report.step_${step}`),
          values: [count],
          shown: [`${number(count)} · ${share(count, leads)}`],
        }))}
      />
      <Scrolling className="wide-table">
        <table className="tbl">
          <caption className="vh">{t("report.conversion_groups")}</caption>
          <thead>
            <tr>
              <th>{t(`report.by_${report.by}`)}</th>
              {steps.map(({ step }) => (
                <th key={step} className="num">
                  {tData(`report.step_${step}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.groups.map((group) => (
              <tr key={group.name}>
                <th scope="row">{groupName(group)}</th>
                {group.steps.map(({ step, count }) => (
                  <td key={step} className="num">
                    {number(count)} <span className="sub">{share(count, group.leads)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </section>
  );
}

function Declines({ report }: { report: DeskReport }) {
  const { t, tData } = useI18n();
  const { number } = useFormat();
  return (
    <section aria-label={t("report.declines")}>
      <h2>{t("report.declines")}</h2>
      {report.declines.length === 0 ? (
        <p className="sub">{t("report.no_declines")}</p>
      ) : (
        <Bars
          caption={t("report.declines")}
          head={[t("report.decline"), t("report.count")]}
          rows={report.declines.map(({ code, country, count }) => ({
            name: `${tData(`report.decline_${code}`)} · ${country.toUpperCase()}`,
            values: [count],
            shown: [number(count)],
          }))}
        />
      )}
    </section>
  );
}

/** 41 min, 3 h, 2 d; a dash for none. */
function useWait(): (seconds: number | null) => string {
  const { t } = useI18n();
  const { number } = useFormat();
  return (seconds) => {
    if (seconds === null) return "–";
    if (seconds < 5_400) return t("report.minutes", { n: number(Math.round(seconds / 60)) });
    if (seconds < 172_800) return t("report.hours", { n: number(Math.round(seconds / 3_600)) });
    return t("report.days", { n: number(Math.round(seconds / 86_400)) });
  };
}
