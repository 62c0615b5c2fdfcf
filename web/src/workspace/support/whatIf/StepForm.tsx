import { type FormEvent, useId, useState } from "react";
import type { BookingChoice, LeadDesk, WhatIfAct } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { RefundAmountField } from "../../RefundAmountField.tsx";
import { useMe } from "../../session.ts";
import { ActFields } from "../ActFields.tsx";
import { amountFault, type Draft, EMPTY, isChosen } from "../actDraft.ts";
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
  const refused = amountFault(t, act, draft, desk.payment);
  const fault = pressed ? (refused ?? undefined) : undefined;
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setPressed(refused !== null);
    if (refused === null) onAdd(stepOf(act, draft, booking, desk.payment));
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
  return (
    <>
      {desk.payment === null ? null : (
        <RefundAmountField
          label={t("what_if.amount")}
          payment={desk.payment}
          typed={draft.amount}
          fault={fault}
          onType={(amount) => onChange({ amount })}
        />
      )}
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
