import "./admin.css";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useId } from "react";
import type { DataRead, DataReader } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { fullMoment } from "../clock.ts";
import { Bone, Empty, NothingFound, Stopped } from "../TableStates.tsx";
import { readsQuery } from "./adminCalls.ts";
import type { ReadFilters } from "./readFilters.ts";

const NONE: ReadFilters = { by: null, lead: null, from: null, to: null, before: null };

/** What is read without a reason (T30). */
const HISTORIES: DataRead["what"][] = ["history", "payment", "case"];

/** Who of staff looked at whose personal data or history, when and why (row I6). */
export function ReadsPage() {
  const { t } = useI18n();
  const filters = useSearch({ from: "/workspace/reads" });
  const asked = useQuery(readsQuery(filters));
  const navigate = useNavigate();
  const show = (change: Partial<ReadFilters>) =>
    void navigate({ to: "/workspace/reads", search: { ...filters, before: null, ...change } });
  useEffect(() => {
    document.title = `${t("admin.reads")} · ${t("workspace.title")}`;
  }, [t]);
  const isFiltered = Object.values(filters).some((value) => value !== null);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("admin.reads")}</h1>
      </div>
      <div className="scroll rm" data-list-scroll>
        <p className="muted">{t("admin.reads_text")}</p>
        <Filters filters={filters} readers={asked.data?.readers ?? []} onShow={show} />
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? (
          asked.error === null ? (
            <Bone width={240} />
          ) : null
        ) : asked.data.reads.length === 0 ? (
          isFiltered ? (
            <NothingFound
              title={t("admin.reads_none_found")}
              actions={
                <button type="button" className="btn" onClick={() => show(NONE)}>
                  {t("admin.reads_all")}
                </button>
              }
            >
              {t("admin.reads_none_found_text")}
            </NothingFound>
          ) : (
            <Empty title={t("admin.reads_none")}>{t("admin.reads_none_text")}</Empty>
          )
        ) : (
          <>
            <Looks reads={asked.data.reads} />
            <div className="row reads-more">
              {filters.before === null ? null : (
                <button type="button" className="btn" onClick={() => show({ before: null })}>
                  {t("admin.reads_newest")}
                </button>
              )}
              {typeof asked.data.next === "number" ? (
                <button type="button" className="btn" onClick={() => show({ before: asked.data.next ?? null })}>
                  {t("admin.reads_older")}
                </button>
              ) : null}
            </div>
          </>
        )}
      </div>
    </main>
  );
}

interface FiltersProps {
  filters: ReadFilters;
  readers: DataReader[];
  onShow: (change: Partial<ReadFilters>) => void;
}

function Filters({ filters, readers, onShow }: FiltersProps) {
  const { t } = useI18n();
  const id = useId();
  return (
    <div className="reads-filters">
      <div>
        <label className="label" htmlFor={`${id}by`}>
          {t("admin.reads_by")}
        </label>
        <div className="field">
          <select
            id={`${id}by`}
            value={filters.by ?? ""}
            onChange={(event) => onShow({ by: event.target.value || null })}
          >
            <option value="">{t("admin.reads_anybody")}</option>
            {readers.map(({ user_id, name }) => (
              <option key={user_id} value={user_id}>
                {name || t("admin.reads_former")}
              </option>
            ))}
          </select>
        </div>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget).get("lead");
          onShow({ lead: typeof typed === "string" && typed.trim() !== "" ? typed.trim() : null });
        }}
      >
        <label className="label" htmlFor={`${id}lead`}>
          {t("admin.reads_lead")}
        </label>
        <div className="field">
          <input
            id={`${id}lead`}
            name="lead"
            key={filters.lead}
            defaultValue={filters.lead ?? ""}
            enterKeyHint="search"
          />
        </div>
      </form>
      <Day id={`${id}from`} label={t("admin.reads_from")} value={filters.from} onChange={(from) => onShow({ from })} />
      <Day id={`${id}to`} label={t("admin.reads_to")} value={filters.to} onChange={(to) => onShow({ to })} />
    </div>
  );
}

interface DayProps {
  id: string;
  label: string;
  value: string | null;
  onChange: (day: string | null) => void;
}

function Day({ id, label, value, onChange }: DayProps) {
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="field">
        <input id={id} type="date" value={value ?? ""} onChange={(event) => onChange(event.target.value || null)} />
      </div>
    </div>
  );
}

function Looks({ reads }: { reads: DataRead[] }) {
  const { t, lang } = useI18n();
  return (
    <ul className="rm-list">
      {reads.map((read) => (
        <li key={read.position} className="rm-one">
          <p>
            <span className="b">{read.by.name || t("admin.reads_former")}</span> ·{" "}
            {t(`looks.what_${read.what ?? "unsaid"}`)}
            {read.lead_id === "" ? null : <LeadLink read={read} />}
          </p>
          <p className="sub num">{fullMoment(read.looked_at, lang)}</p>
          {HISTORIES.includes(read.what) ? null : (
            <p className="muted">{read.reason ?? t("admin.reads_reason_gone")}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

function LeadLink({ read }: { read: DataRead }) {
  const { t } = useI18n();
  return (
    <>
      {" · "}
      <Link className="nowrap" to="/workspace/leads/$leadId" params={{ leadId: read.lead_id }} search={{ v: null }}>
        {read.lead_reference || t("admin.reads_a_lead")}
      </Link>
    </>
  );
}
