import { useId } from "react";
import type { PaymentDossier } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { exact, writeMoney } from "../amounts.ts";
import type { RefundPlan } from "./refundPlan.ts";

export type Choice = PaymentDossier["choices"][number];

interface BookingChoiceProps {
  dossier: PaymentDossier;
  choice: Choice | null;
  onChoose: (choice: Choice) => void;
}

/** Which of two things is meant; neither is chosen beforehand. */
export function BookingChoice({ dossier, choice, onChoose }: BookingChoiceProps) {
  const { t } = useI18n();
  return (
    <fieldset>
      <legend className="label">{t("finance.booking_what")}</legend>
      {dossier.choices.map((one, index) => (
        <label key={one.booking} className={one.booking === choice?.booking ? "opt on" : "opt"}>
          <input
            type="radio"
            className="vh"
            data-first={index === 0 ? true : undefined}
            name="booking"
            checked={one.booking === choice?.booking}
            onChange={() => onChoose(one)}
          />
          <b>{t(`finance.booking_${one.booking}`)}</b>
          <span className="sub">{t(`finance.booking_${one.booking}_note`)}</span>
        </label>
      ))}
      {dossier.choices.length > 1 ? null : <p className="sub">{t("finance.booking_none")}</p>}
    </fieldset>
  );
}

interface TypedAmountProps {
  dossier: PaymentDossier;
  plan: RefundPlan;
  typed: string;
  onType: (typed: string) => void;
}

/** A large amount is typed before it goes; a smaller one needs no field. */
export function TypedAmount({ dossier, plan, typed, onType }: TypedAmountProps) {
  const { t } = useI18n();
  const id = useId();
  if (!plan.ready || !plan.typed) return null;
  const { decimals, currency, typed_above_minor } = dossier;
  const amount = exact(plan.amount_minor, decimals);
  const sum = writeMoney(typed_above_minor, { decimals, currency });
  return (
    <>
      <label className="label" htmlFor={id}>
        {t("finance.type_amount")}
      </label>
      <div className="field">
        <input
          id={id}
          className="num"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={(event) => onType(event.target.value)}
        />
      </div>
      <p className="sub">{t("finance.type_amount_hint", { sum, amount })}</p>
    </>
  );
}
