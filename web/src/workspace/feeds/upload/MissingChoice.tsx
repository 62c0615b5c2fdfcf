import type { RefObject } from "react";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { LabelledField } from "../../LabelledField.tsx";
import type { MissingRule } from "../feedCalls.ts";

/** What is chosen for homes that the file lacks; closing them needs their number typed. */
export interface MissingChosen {
  rule: MissingRule;
  typed: string;
}

/** The number that a choice allows; undefined while it is not the one that is missing. */
export function readLimit({ rule, typed }: MissingChosen, missing: number): number | null | undefined {
  if (rule !== "withdraw") return null;
  return typed.trim() === String(missing) ? missing : undefined;
}

interface MissingChoiceProps {
  missing: number;
  /** Numbers of the first of them in the feed. */
  absent: readonly string[];
  chosen: MissingChosen;
  /** Says that the number is not the right one, once the act was tried. */
  wasTried: boolean;
  onChoose: (chosen: MissingChosen) => void;
  /** The field of the number, which takes the keyboard while the number is not the right one. */
  field: RefObject<HTMLInputElement | null>;
}

/** Asks what becomes of homes that the file does not name. */
export function MissingChoice({ missing, absent, chosen, wasTried, onChoose, field }: MissingChoiceProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const isTyped = readLimit(chosen, missing) !== undefined;
  return (
    <fieldset className="fd-card">
      <legend>{t("imports.missing_title", { n: missing, shown: number(missing) })}</legend>
      {absent.length === 0 ? null : (
        <p className="sub">
          {t("imports.absent_ids", {
            ids: absent.join(t("workspace.list_mark")) + (absent.length < missing ? " …" : ""),
          })}
        </p>
      )}
      {(["report", "withdraw"] as const).map((rule) => (
        <label key={rule} className={chosen.rule === rule ? "radio on" : "radio"}>
          <input
            type="radio"
            className="vh"
            name="missing"
            checked={chosen.rule === rule}
            onChange={() => onChoose({ ...chosen, rule })}
          />
          {t(`imports.missing_${rule}`, { n: missing })}
        </label>
      ))}
      {chosen.rule === "withdraw" ? (
        <LabelledField
          label={t("imports.type_number", { n: missing })}
          hint={t("imports.withdraw_text")}
          fault={wasTried && !isTyped ? t("imports.number_wrong", { n: missing }) : undefined}
        >
          {(its) => (
            <input
              {...its}
              ref={field}
              className="field"
              inputMode="numeric"
              autoComplete="off"
              value={chosen.typed}
              onChange={(event) => onChoose({ ...chosen, typed: event.target.value })}
            />
          )}
        </LabelledField>
      ) : null}
    </fieldset>
  );
}
