import { useState } from "react";
import type { LeadDesk, WhatIf } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { numberOf, readAmount } from "../../../typedNumber.ts";
import { useTypedNumber } from "../../../ui/numberDoubt.ts";
import { exact, writeMoney } from "../../amounts.ts";
import { Icon } from "../../icon.tsx";
import { LabelledField } from "../../LabelledField.tsx";
import { countedOf } from "../actDraft.ts";
import { useStepName } from "./stepName.ts";
import type { Step } from "./whatIfCalls.ts";

type Answer = WhatIf["steps"][number];

interface StepListProps {
  steps: readonly Step[];
  answers: readonly Answer[] | undefined;
  desk: LeadDesk | undefined;
  onChange: (steps: readonly Step[]) => void;
}

/** The acts that are tried, each with what the real one would be refused for. */
export function StepList({ steps, answers, desk, onChange }: StepListProps) {
  const { t } = useI18n();
  const name = useStepName();
  if (steps.length === 0) return null;
  return (
    <ol className="what-if-steps">
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
        <li key={at}>
          <span>
            <b>{name(step.act)}</b> <Details step={step} desk={desk} />
          </span>
          <button
            type="button"
            className="btn quiet sq sm"
            aria-label={t("what_if.remove", { act: name(step.act) })}
            onClick={() => onChange(steps.filter((_, other) => other !== at))}
          >
            <Icon name="x" size="s" />
          </button>
          <Verdict
            {...{ step, desk }}
            answer={answers?.[at]}
            onType={(typed_minor) =>
              onChange(steps.map((one, other) => (other === at ? { ...one, typed_minor } : one)))
            }
          />
        </li>
      ))}
    </ol>
  );
}

function Details({ step, desk }: { step: Step; desk: LeadDesk | undefined }) {
  const { t } = useI18n();
  const { payment } = desk ?? { payment: null };
  const room = desk?.rooms.find(({ inventory_id }) => inventory_id === step.inventory_id)?.name;
  const parts = [
    typeof step.amount_minor === "number" ? writeMoney(step.amount_minor, payment ?? { decimals: 2 }) : null,
    step.booking ? `${t("what_if.booking")} ${t(`what_if.booking_${step.booking}`)}` : null,
    step.cause ? t(`acts.cause_${step.cause}`) : null,
    step.move_in_date,
    step.lease_duration,
    room,
  ];
  return <span className="sub">{parts.filter(Boolean).join(" · ")}</span>;
}

interface VerdictProps {
  step: Step;
  answer: Answer | undefined;
  desk: LeadDesk | undefined;
  onType: (typed: number) => void;
}

function Verdict({ answer, ...rest }: VerdictProps) {
  const { t } = useI18n();
  if (answer === undefined) return null;
  if (answer.waits_for_approval) return <p className="note">{t("what_if.waits_for_approval")}</p>;
  const { refusal } = answer;
  if (refusal === null) return null;
  const mustType = refusal.errors.some(({ field }) => field === "typed_minor");
  return (
    <>
      <p className="note bad" role="alert">
        {refusal.message}
      </p>
      {mustType ? <TypedOnceMore {...rest} /> : null}
    </>
  );
}

/** The amount of a large refund once more: as the page shows it, or in another way that is read as one amount. */
function TypedOnceMore({ step, desk, onType }: Omit<VerdictProps, "answer">) {
  const { t } = useI18n();
  const [typed, setTyped] = useState("");
  const counted = countedOf(desk?.payment ?? null);
  const { fault, onBlur } = useTypedNumber(t("acts.amount_name"), typed, counted);
  const asked = step.amount_minor ?? 0;
  const isAsShown = typed.trim() === exact(asked, counted.decimals);
  const take = () => {
    onBlur();
    const amount = isAsShown ? asked : numberOf(readAmount(typed, counted));
    if (amount !== null) onType(amount);
  };
  return (
    <LabelledField label={t("what_if.type_amount")} fault={isAsShown ? undefined : (fault ?? undefined)}>
      {(its) => (
        <div className="field">
          <input
            {...its}
            inputMode="decimal"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={take}
          />
        </div>
      )}
    </LabelledField>
  );
}
