import type { ChangeEvent, InputHTMLAttributes } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { type Counted, WHOLE } from "../../../typedNumber.ts";
import { doubtText } from "../../../ui/numberDoubt.ts";
import { LabelledField } from "../../LabelledField.tsx";
import type { StaffHome } from "../homeCalls.ts";
import type { RoomNumber, RoomRead, RoomTyped } from "./newRoom.ts";

interface RoomFieldsProps {
  /** A lease of a room type that is there: its name and number are edited as facts. */
  isLeaseAlone?: boolean;
  typed: RoomTyped;
  /** How it was read, once that is to be said. */
  read: RoomRead | null;
  /** What the server refused, by the names of the fields. */
  faults?: ReadonlyMap<string, string>;
  counted: Counted;
  /** Period of the home's prices, however long a lease is; null until its city is known. */
  period: StaffHome["period"] | null;
  onType: (typed: RoomTyped) => void;
}

const PRICES = { weekly: "homes.price_week", monthly: "homes.price_month" } as const;

/** Name and number of a room type, and the lease that it is let for first. */
export function RoomFields({
  isLeaseAlone = false,
  typed,
  read,
  faults = new Map(),
  counted,
  period,
  onType,
}: RoomFieldsProps) {
  const { t } = useI18n();
  const doubts = read !== null && "doubts" in read ? read.doubts : new Map();
  const fault = (name: RoomNumber, label: string): string | undefined => {
    const doubt = doubts.get(name);
    if (doubt === undefined) return faults.get(name);
    return doubtText(t, label, typed[name], doubt, name === "price" ? counted : WHOLE);
  };
  const input = (name: Exclude<keyof RoomTyped, "unit">, rest: InputHTMLAttributes<HTMLInputElement>) => ({
    className: "field",
    value: typed[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => onType({ ...typed, [name]: event.target.value }),
    ...rest,
  });
  return (
    <div className="halves">
      {isLeaseAlone ? null : (
        <>
          <div>
            <LabelledField label={t("homes.room_name_field")} fault={faults.get("name")}>
              {(its) => <input {...its} {...input("name", {})} />}
            </LabelledField>
          </div>
          <div>
            <LabelledField label={t("homes.fact_count")} fault={fault("count", t("homes.fact_count"))}>
              {(its) => <input {...its} {...input("count", { inputMode: "numeric" })} />}
            </LabelledField>
          </div>
        </>
      )}
      <div>
        <LabelledField
          label={t("homes.move_in")}
          hint={isLeaseAlone ? undefined : t("homes.optional")}
          fault={faults.get("move_in")}
        >
          {(its) => <input {...its} {...input("moveIn", { type: "date" })} />}
        </LabelledField>
      </div>
      <div>
        <LabelledField label={t("homes.length")} fault={fault("length", t("homes.length"))}>
          {(its) => (
            <div className="row">
              <input {...its} {...input("length", { className: "field short", inputMode: "numeric" })} />
              <LengthUnit unit={typed.unit} onChoose={(unit) => onType({ ...typed, unit })} />
            </div>
          )}
        </LabelledField>
      </div>
      <div>
        <LabelledField
          label={t(period === null ? "homes.price" : PRICES[period])}
          fault={fault("price", t("homes.price"))}
        >
          {(its) => <input {...its} {...input("price", { inputMode: "decimal" })} />}
        </LabelledField>
      </div>
    </div>
  );
}

interface LengthUnitProps {
  unit: RoomTyped["unit"];
  onChoose: (unit: RoomTyped["unit"]) => void;
}

function LengthUnit({ unit, onChoose }: LengthUnitProps) {
  const { t } = useI18n();
  return (
    <select
      className="field"
      aria-label={t("homes.length_unit")}
      value={unit}
      onChange={(event) => onChoose(event.target.value === "months" ? "months" : "weeks")}
    >
      <option value="weeks">{t("homes.unit_weeks")}</option>
      <option value="months">{t("homes.unit_months")}</option>
    </select>
  );
}
