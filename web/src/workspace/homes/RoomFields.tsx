import { useI18n } from "../../i18n/i18n.tsx";
import { type Counted, WHOLE } from "../../typedNumber.ts";
import { doubtText } from "../../ui/numberDoubt.ts";
import { LabelledField } from "../LabelledField.tsx";
import type { RoomNumber, RoomRead, RoomTyped } from "./newRoom.ts";

interface RoomFieldsProps {
  typed: RoomTyped;
  /** How it was read, once that is to be said. */
  read: RoomRead | null;
  /** What the server refused, by the names of the fields. */
  faults?: ReadonlyMap<string, string>;
  counted: Counted;
  onType: (typed: RoomTyped) => void;
}

/** Name and number of a room type, and the lease that it is let for first. */
export function RoomFields({ typed, read, faults = new Map(), counted, onType }: RoomFieldsProps) {
  const { t } = useI18n();
  const doubts = read !== null && "doubts" in read ? read.doubts : new Map();
  const fault = (name: RoomNumber, label: string): string | undefined => {
    const doubt = doubts.get(name);
    if (doubt === undefined) return faults.get(name);
    return doubtText(t, label, typed[name], doubt, name === "price" ? counted : WHOLE);
  };
  const change = (part: Partial<RoomTyped>) => onType({ ...typed, ...part });
  return (
    <div className="halves">
      <div>
        <LabelledField label={t("homes.room_name_field")} fault={faults.get("name")}>
          {(its) => (
            <input
              {...its}
              className="field"
              value={typed.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </LabelledField>
      </div>
      <div>
        <LabelledField label={t("homes.fact_count")} fault={fault("count", t("homes.fact_count"))}>
          {(its) => (
            <input
              {...its}
              className="field"
              inputMode="numeric"
              value={typed.count}
              onChange={(event) => change({ count: event.target.value })}
            />
          )}
        </LabelledField>
      </div>
      <div>
        <LabelledField label={t("homes.move_in")} hint={t("homes.optional")} fault={faults.get("move_in")}>
          {(its) => (
            <input
              {...its}
              className="field"
              type="date"
              value={typed.moveIn}
              onChange={(event) => change({ moveIn: event.target.value })}
            />
          )}
        </LabelledField>
      </div>
      <div>
        <LabelledField label={t("homes.length")} fault={fault("length", t("homes.length"))}>
          {(its) => (
            <div className="row">
              <input
                {...its}
                className="field short"
                inputMode="numeric"
                value={typed.length}
                onChange={(event) => change({ length: event.target.value })}
              />
              <select
                className="field"
                aria-label={t("homes.length_unit")}
                value={typed.unit}
                onChange={(event) => change({ unit: event.target.value === "months" ? "months" : "weeks" })}
              >
                <option value="weeks">{t("homes.unit_weeks")}</option>
                <option value="months">{t("homes.unit_months")}</option>
              </select>
            </div>
          )}
        </LabelledField>
      </div>
      <div>
        <LabelledField
          label={t(typed.unit === "weeks" ? "homes.price_week" : "homes.price_month")}
          fault={fault("price", t("homes.price"))}
        >
          {(its) => (
            <input
              {...its}
              className="field"
              inputMode="decimal"
              value={typed.price}
              onChange={(event) => change({ price: event.target.value })}
            />
          )}
        </LabelledField>
      </div>
    </div>
  );
}
