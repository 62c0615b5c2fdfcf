import { type ComponentProps, useId, useState } from "react";
import type { WhatIfConditions } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { numberOf, readCount, WHOLE } from "../../../typedNumber.ts";
import { doubtText } from "../../../ui/numberDoubt.ts";
import { LabelledField, type LabelledFieldProps } from "../../LabelledField.tsx";
import { readWholeAmount, wholeAmountDoubt } from "../../wholeAmount.ts";
import { instantOf } from "./conditionValue.ts";

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
      <CountCondition
        isAmount
        label={t("what_if.limit")}
        fault={faults.get("conditions.refund_limit")}
        onRead={(refund_limit) => change({ refund_limit })}
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
      <CountCondition
        label={t("what_if.leave_out")}
        hint={t("what_if.leave_out_hint")}
        fault={faults.get("conditions.leave_out")}
        onRead={(leave_out) => change({ leave_out })}
      />
      <Refuses
        checked={conditions.provider_refuses === true}
        onChange={(provider_refuses) => change({ provider_refuses })}
      />
    </details>
  );
}

type ConditionProps = Omit<LabelledFieldProps, "children"> & Pick<ComponentProps<"input">, "type" | "onBlur">;

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

type CountConditionProps = Omit<LabelledFieldProps, "children"> & {
  /** In whole units of a currency: a sign before three digits is doubted. */
  isAmount?: boolean;
  onRead: (count: number | null) => void;
};

/** A whole number, which takes effect when the field is left; what is doubted leaves the condition as it is, and is said. */
function CountCondition({ label, fault, hint, isAmount = false, onRead }: CountConditionProps) {
  const { t } = useI18n();
  const [typed, setTyped] = useState("");
  const [wasLeft, setWasLeft] = useState(false);
  const reading = typed.trim() === "" ? null : isAmount ? readWholeAmount(typed) : readCount(typed);
  const doubt = wasLeft && reading !== null && "doubt" in reading ? reading.doubt : null;
  const say = isAmount ? wholeAmountDoubt : doubtText;
  const doubted = doubt === null ? undefined : say(t, label, typed, doubt, WHOLE);
  const leave = () => {
    setWasLeft(true);
    onRead(reading && numberOf(reading));
  };
  return (
    <LabelledField label={label} fault={doubted ?? fault} hint={hint}>
      {(its) => (
        <div className="field">
          <input
            {...its}
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={leave}
          />
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
