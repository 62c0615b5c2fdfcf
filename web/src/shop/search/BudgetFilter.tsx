import { type CSSProperties, useId } from "react";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import { BudgetAmount } from "./BudgetAmount.tsx";
import type { Filters } from "./filters.ts";
import { useMoneyLook } from "./region.ts";

interface BudgetFilterProps {
  page: PageOf<"search">;
  draft: Filters;
  onChange: (filters: Filters) => void;
}

/** Spec §9: a slider from 0 to 1,000 or 5,000 after the country, with how many homes cost what above it. */
export function BudgetFilter({ page, draft, onChange }: BudgetFilterProps) {
  const { t } = useI18n();
  const format = useFormat();
  const id = useId();
  const look = useMoneyLook(page.data);
  const [least, most] = page.data.region.budget_range;
  // 10 of 1,000, 50 of 5,000, and as many steps of 150,000 yen.
  const step = Math.max(1, Math.round(most / 100));
  const from = draft.budget.from ?? least;
  const to = Math.min(draft.budget.to ?? most, most);
  const isCrossed = isCrossedBudget(draft.budget);
  const take = (budget: Partial<Filters["budget"]>) =>
    onChange({ ...draft, duration: page.data.region.period, budget: { ...draft.budget, ...budget } });
  const set = (low: number, high: number) => take({ from: low <= least ? null : low, to: high >= most ? null : high });
  const share = (value: number) => `${(100 * (value - least)) / (most - least)}%`;
  const ends: CSSProperties & Record<`--${string}`, string> = {
    "--l": share(from),
    "--r": `calc(100% - ${share(to)})`,
  };
  return (
    <section>
      <h3>{t(page.data.region.period === "weekly" ? "search.budget_week" : "search.budget_month")}</h3>
      <Histogram page={page} from={from} to={to} />
      <div className="range" style={ends}>
        <i />
        <input
          type="range"
          aria-label={t("search.lowest")}
          min={least}
          max={most}
          step={step}
          value={from}
          onChange={(event) => set(Math.min(Number(event.target.value), to - step), to)}
        />
        <input
          type="range"
          aria-label={t("search.highest")}
          min={least}
          max={most}
          step={step}
          value={to}
          onChange={(event) => set(from, Math.max(Number(event.target.value), from + step))}
        />
      </div>
      <div className="budget-two">
        <BudgetAmount
          id={`${id}-from`}
          label={t("search.lowest")}
          symbol={look.symbol}
          currency={page.data.region.currency}
          value={draft.budget.from}
          onChange={(from) => take({ from })}
        />
        <BudgetAmount
          id={`${id}-to`}
          label={t("search.highest")}
          symbol={look.symbol}
          currency={page.data.region.currency}
          value={draft.budget.to}
          fault={isCrossed ? t("search.budget_crossed", { lowest: format.number(from) }) : null}
          onChange={(to) => take({ to })}
        />
      </div>
    </section>
  );
}

/** Whether the highest price stands below the lowest. */
function isCrossedBudget({ from, to }: Filters["budget"]): boolean {
  return from !== null && to !== null && from > to;
}

function Histogram({ page, from, to }: { page: PageOf<"search">; from: number; to: number }) {
  const steps = page.data.search.facets?.budget ?? [];
  const look = useMoneyLook(page.data);
  const unit = 10 ** look.decimals;
  const [least, most] = page.data.region.budget_range;
  const share = (value: number) => `${(100 * (Math.min(most, Math.max(least, value)) - least)) / (most - least)}%`;
  const highest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <div className="hist" aria-hidden="true">
      {steps.map((bar) => (
        <i
          key={bar.from_minor}
          className={bar.to_minor / unit > from && bar.from_minor / unit < to ? "in" : ""}
          style={{
            left: share(bar.from_minor / unit),
            width: `calc(${share(bar.to_minor / unit)} - ${share(bar.from_minor / unit)} - 2px)`,
            height: `${Math.max(3, (100 * bar.count) / highest)}%`,
          }}
        />
      ))}
    </div>
  );
}
