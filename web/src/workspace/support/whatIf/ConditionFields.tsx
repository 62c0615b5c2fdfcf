import { type ComponentProps, useId } from "react";
import type { WhatIfConditions } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { LabelledField, type LabelledFieldProps } from "../../LabelledField.tsx";
import { instantOf, positionOf, wholeUnits } from "./conditionValue.ts";

interface ConditionFieldsProps {
  conditions: WhatIfConditions;
  /** What the server refused, by the field's name. */
  faults: ReadonlyMap<string, string>;
  onChange: (conditions: WhatIfConditions) => void;
}

/** What is taken to be otherwise; an empty field leaves it as it is. */
export function ConditionFields({ conditions, faults, onChange }: ConditionFieldsProps) {
  const { t } = useI18n();
  const change = (part: Partial<WhatIfConditions>) => onChange({ ...conditions, ...part });
  return (
    <details>
      <summary>{t("what_if.conditions")}</summary>
      <Condition
        label={t("what_if.limit")}
        fault={faults.get("conditions.refund_limit")}
        inputMode="numeric"
        onBlur={(event) => change({ refund_limit: wholeUnits(event.target.value) })}
      />
      <Condition
        label={t("what_if.at")}
        fault={faults.get("conditions.at")}
        type="datetime-local"
        onBlur={(event) => change({ at: instantOf(event.target.value) })}
      />
      <Condition
        label={t("what_if.price_at")}
        hint={t("what_if.price_at_hint")}
        fault={faults.get("conditions.price_at")}
        type="datetime-local"
        onBlur={(event) => change({ price_at: instantOf(event.target.value) })}
      />
      <Condition
        label={t("what_if.leave_out")}
        hint={t("what_if.leave_out_hint")}
        fault={faults.get("conditions.leave_out")}
        inputMode="numeric"
        onBlur={(event) => change({ leave_out: positionOf(event.target.value) })}
      />
      <Refuses
        checked={conditions.provider_refuses === true}
        onChange={(provider_refuses) => change({ provider_refuses })}
      />
    </details>
  );
}

type ConditionProps = Omit<LabelledFieldProps, "children"> &
  Pick<ComponentProps<"input">, "inputMode" | "type" | "onBlur">;

/** Takes effect when the field is left. */
function Condition({ label, fault, hint, ...input }: ConditionProps) {
  return (
    <LabelledField label={label} fault={fault} hint={hint}>
      {(its) => (
        <div className="field">
          <input {...its} {...input} />
        </div>
      )}
    </LabelledField>
  );
}

interface RefusesProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function Refuses({ checked, onChange }: RefusesProps) {
  const { t } = useI18n();
  const hint = useId();
  return (
    <>
      <label className="row">
        <input
          type="checkbox"
          checked={checked}
          aria-describedby={hint}
          onChange={(event) => onChange(event.target.checked)}
        />
        {t("what_if.provider_refuses")}
      </label>
      <p id={hint} className="sub">
        {t("what_if.provider_refuses_hint")}
      </p>
    </>
  );
}
