import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import { Icon } from "../../ui/icon.tsx";
import { useRoomKind } from "../../ui/roomKind.ts";
import { Chip } from "../ui/chip.tsx";
import { countOf, type Filters, facetValues, type ListFilter, listFilters, toggled } from "./filters.ts";
import { useValueName } from "./labels.ts";
import { useMoneyLook } from "./region.ts";
import { SortSelect } from "./SortSelect.tsx";

interface FilterBarProps {
  page: PageOf<"search">;
  filters: Filters;
  onChange: (filters: Filters) => void;
  onOpen: () => void;
}

/** What the reader is most likely to want next, offered beside what is on. */
const offered: readonly [ListFilter, string][] = [
  ["distance", "1609"],
  ["guarantor", "false"],
  ["available", "true"],
  ["roomType", "studio_room"],
  ["roomType", "ensuite_room"],
  ["roomType", "studio"],
];

/** The bar under the header: filters that are on, some that could be, and the order. */
export function FilterBar({ page, filters, onChange, onOpen }: FilterBarProps) {
  const { t } = useI18n();
  const { facets } = page.data.search;
  const fullName = useValueName(page.data.region.period);
  const roomKind = useRoomKind();
  // The bar is short: "Ensuite", where the drawer says "Ensuite Room".
  const valueName = (name: ListFilter, value: string) =>
    name === "roomType" ? roomKind(value) : fullName(name, value);
  const count = countOf(filters);
  const on = listFilters.flatMap((name) => (filters.lists[name] ?? []).map((value) => [name, value] as const));
  const isOn = (name: ListFilter, value: string) => filters.lists[name]?.includes(value) === true;
  const counted = (name: ListFilter, value: string) =>
    facetValues(facets, name).find((facet) => facet.value === value)?.count ?? null;
  const more = offered.filter(([name, value]) => !isOn(name, value) && (counted(name, value) ?? 0) > 0).slice(0, 3);
  return (
    <section className="sbar" aria-label={t("search.filters")}>
      <div className="sbar-in">
        <button type="button" className="btn btn-quiet filters-btn" onClick={onOpen} aria-haspopup="dialog">
          <Icon name="sliders" size={20} />
          {t("search.filters")}
          {count > 0 ? <span className="badge filters-n">{count}</span> : null}
        </button>
        <span className="vr" />
        <div className="sbar-chips">
          {filters.box ? (
            <Chip on onPress={() => onChange({ ...filters, box: null })}>
              {t("search.map_part")}
            </Chip>
          ) : null}
          <BudgetChip page={page} filters={filters} onChange={onChange} />
          {on.map(([name, value]) => (
            <Chip
              key={`${name}:${value}`}
              on
              onPress={() => onChange(toggled(filters, name, value))}
              count={counted(name, value)}
            >
              {valueName(name, value)}
            </Chip>
          ))}
          {more.map(([name, value]) => (
            <Chip
              key={`${name}:${value}`}
              on={false}
              onPress={() => onChange(toggled(filters, name, value))}
              count={counted(name, value)}
            >
              {valueName(name, value)}
            </Chip>
          ))}
        </div>
        <SortSelect filters={filters} onChange={onChange} className="only-wide" />
      </div>
    </section>
  );
}

function BudgetChip({ page, filters, onChange }: Omit<FilterBarProps, "onOpen">) {
  const words = useBudgetWords(page)(filters);
  if (!words) return null;
  return (
    <Chip on onPress={() => onChange({ ...filters, budget: { from: null, to: null } })}>
      {words}
    </Chip>
  );
}

/** "£180–£320 / week", or what is known of it. */
export function useBudgetWords(page: PageOf<"search">): (filters: Filters) => string | null {
  const { t } = useI18n();
  const format = useFormat();
  const look = useMoneyLook(page.data);
  return ({ budget: { from, to }, duration }) => {
    if (from === null && to === null) return null;
    const money = (units: number) => format.money(units * 10 ** look.decimals, look);
    const per = t((duration ?? page.data.region.period) === "weekly" ? "ui.per_week" : "ui.per_month");
    if (from !== null && to !== null) return `${money(from)}–${money(to)} ${per}`;
    return from !== null
      ? t("search.budget_from", { from: money(from), per })
      : t("search.budget_to", { to: money(to ?? 0), per });
  };
}
