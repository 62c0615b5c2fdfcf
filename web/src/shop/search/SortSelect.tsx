import { useI18n } from "../../i18n/i18n.tsx";
import { type Filters, sortOrders } from "./filters.ts";
import { sortNames } from "./labels.ts";

/** The five orders of Spec §9, as the browser's own list. */
export function SortSelect({
  filters,
  onChange,
  className = "",
}: {
  filters: Filters;
  onChange: (filters: Filters) => void;
  className?: string;
}) {
  const { t } = useI18n();
  return (
    <label className={`sort ${className}`.trim()}>
      <span className="muted">{t("search.sort")}</span>
      <select
        value={filters.sort}
        onChange={(event) => {
          const sort = sortOrders.find((order) => order === event.target.value);
          if (sort) onChange({ ...filters, sort });
        }}
      >
        {sortOrders.map((order) => (
          <option key={order} value={order}>
            {t(sortNames[order])}
          </option>
        ))}
      </select>
    </label>
  );
}
