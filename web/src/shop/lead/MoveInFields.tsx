import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { SelectField, Tiles } from "../ui/field.tsx";
import type { LeadInventory } from "../ui/overlays.ts";
import { comingQuarters, moveInValue, type Quarter, quarterOf, todayAt } from "./moveIn.ts";
import type { LeadDraft } from "./useLeadDraft.ts";

interface MoveInFieldsProps {
  draft: LeadDraft;
  inventory: LeadInventory | null;
  onTyped: () => void;
}

// Spec §9 stay buckets start at these lengths; a property's own length is offered beside them.
const WEEKS = [4, 12, 26, 40, 41, 44, 45, 48, 51, 52];
const MONTHS = [3, 6, 9, 10, 12];

/** When, to the quarter and if wished to the month, and for how long. Nothing here is required. */
export function MoveInFields({ draft, inventory, onTyped }: MoveInFieldsProps) {
  const { t } = useI18n();
  const format = useFormat();
  const quarters = comingQuarters(todayAt(inventory));
  const names = useQuarterNames(quarters);
  const chosen = draft.values.move_in_date ?? inventory?.move_in_date ?? "";
  const at = quarterOf(quarters, chosen);
  const months = at === null ? [] : (quarters[at]?.months ?? []);
  const month = months.includes(chosen.slice(0, 7)) ? chosen.slice(0, 7) : "";
  const choose = (index: number | null, nextMonth: string) => {
    onTyped();
    draft.set("move_in_date", moveInValue(quarters, index, nextMonth) ?? "");
  };
  return (
    <>
      <Tiles
        legend={t("lead.move_in_legend")}
        name="move-in-quarter"
        value={at === null ? null : String(at)}
        options={names.map((label, index) => ({ value: String(index), label }))}
        onChange={(value) => choose(Number(value), "")}
      />
      <div className="two two-n">
        <SelectField label={t("lead.month")} value={month} onChange={(event) => choose(at, event.target.value)}>
          <option value="">{t("lead.month_any")}</option>
          {months.map((one) => (
            <option key={one} value={one}>
              {format.date(one, "month")}
            </option>
          ))}
        </SelectField>
        <StayField draft={draft} inventory={inventory} onTyped={onTyped} />
      </div>
    </>
  );
}

/** "Jul–Sep 2027" */
function useQuarterNames(quarters: readonly Quarter[]): string[] {
  const { t } = useI18n();
  const format = useFormat();
  const name = (month: number) => format.month(String(month), "short");
  return quarters.map(({ index, year }) =>
    t("lead.quarter", { from: name(index * 3 + 1), to: name(index * 3 + 3), year }),
  );
}

function StayField({ draft, inventory, onTyped }: MoveInFieldsProps) {
  const { t } = useI18n();
  const monthly = inventory?.price?.duration === "monthly";
  const own = Number(/^\d+/.exec(inventory?.lease_duration ?? "")?.[0] ?? 0);
  const usual = monthly ? MONTHS : WEEKS;
  const lengths = own > 0 && !usual.includes(own) ? [...usual, own].toSorted((a, b) => a - b) : usual;
  const unit = monthly ? "months" : "weeks";
  const value = draft.values.lease_duration ?? (own > 0 ? `${own} ${unit}` : "");
  return (
    <SelectField
      label={t("lead.stay")}
      value={value}
      onChange={(event) => {
        onTyped();
        draft.set("lease_duration", event.target.value);
      }}
    >
      <option value="">{t("lead.stay_any")}</option>
      {lengths.map((n) => (
        <option key={n} value={`${n} ${unit}`}>
          {t(monthly ? "lead.months" : "lead.weeks", { n })}
        </option>
      ))}
    </SelectField>
  );
}
