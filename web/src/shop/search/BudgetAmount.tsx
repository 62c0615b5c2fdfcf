import { useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { numberOf, readNumber } from "../../typedNumber.ts";
import { useTypedNumber } from "../../ui/numberDoubt.ts";
import { Field } from "../ui/field.tsx";

interface BudgetAmountProps {
  id: string;
  label: string;
  symbol: string;
  currency: string;
  value: number | null;
  /** The fault of the amount beside the other one. */
  fault?: string | null;
  onChange: (value: number | null) => void;
}

/** Whole units of the region's currency; what is doubted narrows nothing, and is said. */
export function BudgetAmount({ id, label, symbol, currency, value, fault = null, onChange }: BudgetAmountProps) {
  const { t } = useI18n();
  const counted = { currency, decimals: 0 };
  const [typed, setTyped] = useState("");
  // A slider that was moved since says more than what was typed before.
  const isLatest = numberOf(readNumber(typed, counted)) === value;
  const { fault: doubt, onBlur } = useTypedNumber(label, isLatest ? typed : "", counted, readNumber);
  const error = doubt ?? fault;
  return (
    <Field id={id} label={label} error={error}>
      <div className="amount">
        <span aria-hidden="true">{symbol.trim()}</span>
        <input
          id={id}
          className="input num"
          inputMode="numeric"
          maxLength={12}
          placeholder={t("search.any")}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : `${id}-error`}
          value={isLatest ? typed : (value ?? "")}
          onBlur={onBlur}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(numberOf(readNumber(event.target.value, counted)));
          }}
        />
      </div>
    </Field>
  );
}
