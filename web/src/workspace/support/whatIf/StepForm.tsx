import { type FormEvent, useId, useState } from "react";
import type { BookingChoice, LeadDesk, WhatIfAct } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { doubtText } from "../../../ui/numberDoubt.ts";
import { exact } from "../../amounts.ts";
import { LabelledField } from "../../LabelledField.tsx";
import { useMe } from "../../session.ts";
import { ActFields } from "../ActFields.tsx";
import { amountDoubt, countedOf, type Draft, EMPTY, isChosen } from "../actDraft.ts";
import { stepOf } from "./stepDraft.ts";
import { useStepName } from "./stepName.ts";
import { ACTS, isMoney, type Step } from "./whatIfCalls.ts";

interface StepFormProps {
  desk: LeadDesk;
  isFirst: boolean;
  onAdd: (step: Step) => void;
}

/** Chooses the next act and fills in what it needs. */
export function StepForm({ desk, isFirst, onAdd }: StepFormProps) {
  const { t } = useI18n();
  const me = useMe();
  const choice = useId();
  const name = useStepName();
  const offered = ACTS.filter((act) => me.can.finance || !isMoney(act));
  const [act, setAct] = useState<WhatIfAct>(offered[0] ?? "close");
  const [booking, setBooking] = useState<BookingChoice>("keep");
  const [draft, setDraft] = useState<Draft>(() => ({
    ...EMPTY,
    room: desk.room ?? "",
    moveIn: desk.stay.move_in_date ?? "",
    length: desk.stay.lease_duration ?? "",
  }));
  const [pressed, setPressed] = useState(false);
  const doubt = amountDoubt(act, draft, desk.payment);
  const doubted = doubt && doubtText(t, t("acts.amount_name"), draft.amount, doubt, countedOf(desk.payment));
  const fault = pressed && doubted ? doubted : undefined;
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setPressed(doubt !== null);
    if (doubt === null) onAdd(stepOf(act, draft, booking, desk.payment));
  };
  return (
    <form onSubmit={submit} className="what-if-step">
      <label className="label" htmlFor={choice}>
        {t(isFirst ? "what_if.first_step" : "what_if.next_step")}
      </label>
      <select
        id={choice}
        className="field"
        data-first
        value={act}
        onChange={(event) => setAct(offered.find((one) => one === event.target.value) ?? act)}
      >
        {offered.map((one) => (
          <option key={one} value={one}>
            {name(one)}
          </option>
        ))}
      </select>
      {act === "refund" ? (
        <Refund {...{ desk, draft, booking, fault }} onBooking={setBooking} onChange={change} />
      ) : null}
      {act === "refund" || act === "cancel_booking" ? null : (
        <ActFields
          {...{ act, desk, draft }}
          faults={new Map(fault === undefined ? [] : [["amount_minor", fault]])}
          onChange={change}
        />
      )}
      <button type="submit" className="btn" disabled={!isChosen(act, draft)}>
        {t("what_if.try")}
      </button>
    </form>
  );
}

interface RefundProps {
  desk: LeadDesk;
  draft: Draft;
  booking: BookingChoice;
  /** What is wrong with the amount. */
  fault: string | undefined;
  onBooking: (booking: BookingChoice) => void;
  onChange: (part: Partial<Draft>) => void;
}

function Refund({ desk, draft, booking, fault, onBooking, onChange }: RefundProps) {
  const { t } = useI18n();
  const what = useId();
  const { payment } = desk;
  const left = payment === null ? "0" : `${exact(payment.refundable_minor, payment.decimals)} ${payment.currency}`;
  return (
    <>
      <LabelledField label={t("what_if.amount", { left })} fault={fault}>
        {(its) => (
          <div className="field">
            <input
              {...its}
              inputMode="decimal"
              value={draft.amount}
              onChange={(event) => onChange({ amount: event.target.value })}
            />
          </div>
        )}
      </LabelledField>
      <label className="label" htmlFor={what}>
        {t("what_if.booking")}
      </label>
      <select
        id={what}
        className="field"
        value={booking}
        onChange={(event) => onBooking(event.target.value === "cancel" ? "cancel" : "keep")}
      >
        <option value="keep">{t("what_if.booking_keep")}</option>
        <option value="cancel">{t("what_if.booking_cancel")}</option>
      </select>
    </>
  );
}
