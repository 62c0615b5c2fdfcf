import { useI18n } from "../../../i18n/i18n.tsx";
import { LabelledField } from "../../LabelledField.tsx";
import type { BrandDesk } from "../useBrandDesk.ts";

interface ChoiceFieldProps {
  desk: BrandDesk;
  name: "font" | "first_language";
  choices: readonly { value: string; label: string }[];
  /** Named for none of them. */
  shipped: string;
}

/** A value out of a few; the first choice is the one that ships. */
export function ChoiceField({ desk, name, choices, shipped }: ChoiceFieldProps) {
  const { t } = useI18n();
  return (
    <div>
      <LabelledField label={t(`brand.value_${name}`)} fault={desk.faults.get(name)}>
        {(its) => (
          <select
            {...its}
            className="field"
            disabled={desk.isPast}
            value={desk.shown[name] ?? ""}
            onChange={(event) => desk.change({ [name]: event.target.value || null })}
          >
            <option value="">{shipped}</option>
            {choices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </LabelledField>
    </div>
  );
}
