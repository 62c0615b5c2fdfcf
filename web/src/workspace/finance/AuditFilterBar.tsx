import { Link, useNavigate } from "@tanstack/react-router";
import type { AuditPage } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";
import { leaveOnEnter, useSearchWords } from "../useSearchWords.ts";
import { useStaying } from "../useStaying.ts";
import { type AuditFilters, isNarrowed, KINDS_ASKED } from "./auditFilters.ts";

interface AuditFilterBarProps {
  filters: AuditFilters;
  page: AuditPage | undefined;
}

/** Search, type, currency and period; all of it in the address. */
export function AuditFilterBar({ filters, page }: AuditFilterBarProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const navigate = useNavigate({ from: "/workspace/finance" });
  const change = (part: Partial<AuditFilters>) => void navigate({ search: { ...filters, ...part, p: null } });
  const currencies = [
    ...new Set([
      ...(page?.totals ?? []).map(({ currency }) => currency),
      ...(filters.currency === null ? [] : [filters.currency]),
    ]),
  ].sort();
  return (
    <div className="w-bar fin">
      <SearchField filters={filters} />
      <Steps filters={filters} onChoose={(steps) => change({ steps })} />
      <Choice
        name={t("finance.type")}
        value={filters.kind}
        options={KINDS_ASKED.map((kind) => [kind, t(`finance.kind_${kind}`)])}
        onChoose={(kind) => change({ kind })}
      />
      <Choice
        name={t("finance.currency")}
        value={filters.currency}
        options={currencies.map((currency) => [currency, currency])}
        onChoose={(currency) => change({ currency })}
      />
      <Day name={t("finance.from")} value={filters.from} onChoose={(from) => change({ from })} />
      <Day name={t("finance.to")} value={filters.to} onChoose={(to) => change({ to })} />
      {isNarrowed(filters) ? (
        <Link className="link nowrap" to="/workspace/finance" search={{ steps: filters.steps }}>
          {t("finance.clear_all")}
        </Link>
      ) : null}
      {page === undefined ? null : (
        <span className="end sub num" role="status">
          {t("finance.events_count", { n: page.meta.count, shown: number(page.meta.count) })}
        </span>
      )}
    </div>
  );
}

function SearchField({ filters }: { filters: AuditFilters }) {
  const { t } = useI18n();
  const navigate = useNavigate({ from: "/workspace/finance" });
  const isStaying = useStaying();
  const [words, setWords] = useSearchWords(filters.q, (q) => {
    if (isStaying()) void navigate({ search: { ...filters, q, p: null }, replace: true });
  });
  return (
    <label className="field sm" htmlFor="audit-search">
      <Icon name="search" size="s" />
      <span className="vh">{t("finance.search")}</span>
      <input
        id="audit-search"
        type="search"
        placeholder={t("finance.search_hint")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={leaveOnEnter}
      />
    </label>
  );
}

interface StepsProps {
  filters: AuditFilters;
  onChoose: (steps: AuditFilters["steps"]) => void;
}

/** Money events, or every step of every payment. A chosen kind says itself what is listed. */
function Steps({ filters: { kind, steps }, onChoose }: StepsProps) {
  const { t } = useI18n();
  if (kind !== null) return null;
  return (
    <fieldset className="seg" aria-label={t("finance.steps")}>
      <button type="button" aria-pressed={steps === null} onClick={() => onChoose(null)}>
        {t("finance.steps_money")}
      </button>
      <button type="button" aria-pressed={steps === "all"} onClick={() => onChoose("all")}>
        {t("finance.steps_all")}
      </button>
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  value: string | null;
  options: [value: string, label: string][];
  onChoose: (value: string | null) => void;
}

function Choice({ name, value, options, onChoose }: ChoiceProps) {
  const { t } = useI18n();
  return (
    <label className={value === null ? "pill w-pick" : "pill w-pick on"}>
      <span className={value === null ? "vh" : ""}>{name}</span>
      <select value={value ?? ""} onChange={(event) => onChoose(event.target.value || null)}>
        <option value="">{value === null ? name : t("finance.any")}</option>
        {options.map(([one, label]) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="down" size="xs" />
    </label>
  );
}

function Day({
  name,
  value,
  onChoose,
}: {
  name: string;
  value: string | null;
  onChoose: (day: string | null) => void;
}) {
  return (
    <label className={value === null ? "pill w-pick" : "pill w-pick on"}>
      {name}
      <input type="date" value={value ?? ""} onChange={(event) => onChoose(event.target.value || null)} />
    </label>
  );
}
