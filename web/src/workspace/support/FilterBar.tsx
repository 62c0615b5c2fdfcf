import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import type { LeadListPage, UnderstoodPart } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";
import { said } from "../StatusRing.tsx";
import { FIELDS, FILTERS, type FilterName, isWhole } from "./leadFilterNames.ts";
import type { LeadFilters } from "./leadFilters.ts";

interface FilterBarProps {
  filters: LeadFilters;
  page: LeadListPage | undefined;
}

/** How the words were understood and which filters are in force, each with its way out; the other filters behind a button. */
export function FilterBar({ filters, page }: FilterBarProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const [open, setOpen] = useState(false);
  const panel = useId();
  const parts = page?.understood ?? [];
  const set = FILTERS.filter((name) => name !== "q" && filters[name] !== null);
  const words = parts.length === 0 && filters.q !== null ? filters.q : null;
  return (
    <>
      <div className="w-bar">
        <button
          type="button"
          className={open ? "pill on" : "pill"}
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => setOpen(!open)}
        >
          <Icon name="queue" size="xs" /> {t("queues.filters")}
        </button>
        {parts.map((part) => (
          <PartPill key={`${part.kind} ${part.written} ${part.without}`} part={part} filters={filters} />
        ))}
        {words === null ? null : <Pill name={t("support.words")} value={words} rest={{ ...filters, q: null }} />}
        {set.map((name) => (
          <FilterPill key={name} name={name} filters={filters} />
        ))}
        {isWhole(filters) ? <span className="sub">{t("support.order")}</span> : null}
        {page === undefined ? null : (
          <span className="end sub num" role="status">
            {t("support.leads_count", { n: page.meta.count, shown: number(page.meta.count) })}
          </span>
        )}
      </div>
      <div id={panel} hidden={!open}>
        {open ? <FilterPanel key={JSON.stringify(filters)} filters={filters} /> : null}
      </div>
    </>
  );
}

/** A part of the words, as the server has read it. */
function PartPill({ part, filters }: { part: UnderstoodPart; filters: LeadFilters }) {
  const { t, tData } = useI18n();
  const meaning = {
    status: () => said(tData, "support.status_", part.value ?? ""),
    attention: () => said(tData, "support.needs_", part.value ?? ""),
    created: () => span(part),
    move_in: () => span(part),
  }[part.kind as string];
  const value = meaning === undefined ? part.written : `${part.written} · ${meaning()}`;
  return (
    <Pill
      name={t(`queues.part_${part.kind}`)}
      value={value}
      rest={{ ...filters, q: part.without === "" ? null : part.without }}
    />
  );
}

function span({ from, to }: UnderstoodPart): string {
  return from === to ? (from ?? "") : `${from ?? ""} – ${to ?? ""}`;
}

function FilterPill({ name, filters }: { name: FilterName; filters: LeadFilters }) {
  const { t, tData } = useI18n();
  const value = filters[name] ?? "";
  const names: Partial<Record<FilterName, string>> = {
    status: said(tData, "support.status_", value),
    attention: said(tData, "support.needs_", value),
    stage: said(tData, "queues.stage_", value),
    owner: value === "me" ? t("queues.owner_me") : value,
  };
  return (
    <Pill
      name={t(`queues.filter_${name as "status"}`)}
      value={names[name] ?? value}
      rest={{ ...filters, [name]: null }}
    />
  );
}

interface PillProps {
  name: string;
  value: string;
  /** The filters that stay without this one. */
  rest: LeadFilters;
}

function Pill({ name, value, rest }: PillProps) {
  const { t } = useI18n();
  return (
    <Link
      className="pill on"
      to="/workspace/leads"
      search={{ ...rest, view: null, p: null }}
      aria-label={t("support.remove_filter", { name, value })}
    >
      {name} <b>{value}</b>
      <Icon name="x" size="xs" />
    </Link>
  );
}

const DAYS: readonly FilterName[] = ["created_from", "created_to", "move_in_from", "move_in_to"];

/** Fields of the filters that have no view of their own; they count once they are applied. */
function FilterPanel({ filters }: { filters: LeadFilters }) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const base = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = Object.fromEntries(FIELDS.map((name) => [name, String(form.get(name) ?? "").trim() || null]));
    const owner = form.get("owner") === "me" ? "me" : null;
    void navigate({ to: "/workspace/leads", search: { ...filters, ...given, owner, view: null, p: null } });
  };
  return (
    <form className="filter-panel" onSubmit={submit}>
      {FIELDS.map((name) => (
        <div key={name}>
          <label className="label" htmlFor={`${base}${name}`}>
            {t(`queues.filter_${name}`)}
          </label>
          <input
            id={`${base}${name}`}
            name={name}
            className="field sm"
            type={DAYS.includes(name) ? "date" : "text"}
            defaultValue={filters[name] ?? ""}
          />
        </div>
      ))}
      <label className="check">
        <input type="checkbox" name="owner" value="me" defaultChecked={filters.owner === "me"} />
        <span>{t("queues.only_mine")}</span>
      </label>
      <div className="row">
        <button type="submit" className="btn pri sm">
          {t("queues.apply")}
        </button>
        <Link className="btn quiet sm" to="/workspace/leads">
          {t("support.clear_all")}
        </Link>
      </div>
    </form>
  );
}
