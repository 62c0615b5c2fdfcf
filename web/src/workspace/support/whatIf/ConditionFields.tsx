import { useId } from "react";
import type { WhatIfConditions } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";

interface ConditionFieldsProps {
  conditions: WhatIfConditions;
  onChange: (conditions: WhatIfConditions) => void;
}

/** What is taken to be otherwise; an empty field leaves it as it is. */
export function ConditionFields({ conditions, onChange }: ConditionFieldsProps) {
  const { t } = useI18n();
  const [limit, at] = [useId(), useId()];
  return (
    <details>
      <summary>{t("what_if.conditions")}</summary>
      <label className="label" htmlFor={limit}>
        {t("what_if.limit")}
      </label>
      <div className="field">
        <input
          id={limit}
          inputMode="numeric"
          onBlur={(event) => onChange({ ...conditions, refund_limit: wholeUnits(event.target.value) })}
        />
      </div>
      <label className="label" htmlFor={at}>
        {t("what_if.at")}
      </label>
      <div className="field">
        <input
          id={at}
          type="datetime-local"
          onBlur={(event) => onChange({ ...conditions, at: instantOf(event.target.value) })}
        />
      </div>
    </details>
  );
}

function wholeUnits(typed: string): number | null {
  const digits = typed.trim();
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}

/** What the field holds is a moment of the reader's own time zone. */
function instantOf(typed: string): string | null {
  const moment = new Date(typed);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
