import { useId } from "react";
import type { ContactMeaning, LeadDesk } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { writeMoney } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { LabelledField, type LabelledFieldProps } from "../LabelledField.tsx";
import { RefundAmountField } from "../RefundAmountField.tsx";
import type { Draft } from "./actDraft.ts";
import { CAUSES, type MenuAct } from "./actList.ts";

interface ActFieldsProps {
  act: MenuAct;
  desk: LeadDesk;
  draft: Draft;
  /** What the server refused of each field, by its name. */
  faults?: Faults;
  onChange: (part: Partial<Draft>) => void;
}

type Faults = ReadonlyMap<string, string>;

const NO_FAULTS: Faults = new Map();

/** What an act needs beside its reason. */
export function ActFields({ act, desk, draft, faults = NO_FAULTS, onChange }: ActFieldsProps) {
  const { t } = useI18n();
  switch (act) {
    case "close":
      return (
        <Choice
          label={t("acts.cause")}
          fault={faults.get("cause")}
          value={draft.cause ?? ""}
          options={[["", t("acts.cause_choose")], ...CAUSES.map((cause): Option => [cause, t(`acts.cause_${cause}`)])]}
          onChoose={(value) => onChange({ cause: CAUSES.find((cause) => cause === value) ?? null })}
        />
      );
    case "assign":
      return (
        <Choice
          label={t("acts.owner")}
          fault={faults.get("owner")}
          value={draft.owner}
          options={[
            ["me", t("acts.owner_me")],
            ...desk.colleagues.map(({ user_id, name }): Option => [user_id, name]),
            ["", t("acts.owner_nobody")],
          ]}
          onChoose={(owner) => onChange({ owner })}
        />
      );
    case "change_stay":
      return <Stay {...{ desk, draft, faults, onChange }} />;
    case "change_room":
      return (
        <Choice
          label={t("acts.room")}
          fault={faults.get("inventory_id")}
          value={draft.room}
          options={desk.rooms.map(({ inventory_id, name }) => [inventory_id, name])}
          onChoose={(room) => onChange({ room })}
        />
      );
    case "correct_contact":
      return <Contact {...{ desk, draft, faults, onChange }} />;
    case "mark_double":
      return <Double {...{ desk, draft, faults, onChange }} />;
    case "record_call":
      return <Call {...{ draft, faults, onChange }} />;
    case "set_team":
      return (
        <Choice
          label={t("acts.team")}
          fault={faults.get("team")}
          value={draft.team}
          options={[...desk.teams.map((team): Option => [team, team]), ["", t("acts.team_none")]]}
          onChoose={(team) => onChange({ team })}
        />
      );
    case "ask_refund":
      return <Amount {...{ desk, draft, faults, onChange }} />;
    default:
      return null;
  }
}

type PartProps = Omit<ActFieldsProps, "act" | "faults"> & { faults: Faults };

/** Whether the student was reached. */
function Call({ draft, faults, onChange }: Omit<PartProps, "desk">) {
  const { t } = useI18n();
  return (
    <Choice
      label={t("acts.call_reached")}
      fault={faults.get("reached")}
      value={draft.reached === null ? "" : draft.reached ? "yes" : "no"}
      options={[
        ["", t("acts.call_choose")],
        ["yes", t("acts.call_reached_yes")],
        ["no", t("acts.call_reached_no")],
      ]}
      onChoose={(answer) => onChange({ reached: answer === "" ? null : answer === "yes" })}
    />
  );
}

/** Stays that the home lets, to pick from; an enquiry that names no home keeps any dates. */
function Stay(props: PartProps) {
  return props.desk.rooms.length > 0 ? <LetStay {...props} /> : <WishedStay {...props} />;
}

type DeskStay = LeadDesk["stays"][number];

const keyOf = (stay: Pick<DeskStay, "inventory_id" | "move_in_date" | "lease_duration">) =>
  [stay.inventory_id, stay.move_in_date, stay.lease_duration].join("|");

function LetStay({ desk, draft, faults, onChange }: PartProps) {
  const { t, lang } = useI18n();
  const format = useFormat();
  const text = ({ room, move_in_date, lease_duration, rent }: DeskStay) =>
    [
      room,
      move_in_date && format.date(move_in_date),
      lease_duration,
      rent && t(`acts.rent_${rent.duration}`, { rent: writeMoney(rent.amount_minor, rent) }),
    ]
      .filter(Boolean)
      .join(" · ");
  const chosen = keyOf({ inventory_id: draft.room, move_in_date: draft.moveIn, lease_duration: draft.length });
  const options = desk.stays.map((stay): Option => [keyOf(stay), text(stay)]);
  const choose = (key: string) => {
    const stay = desk.stays.find((one) => keyOf(one) === key);
    if (stay) {
      const { inventory_id, move_in_date, lease_duration } = stay;
      onChange({ room: inventory_id ?? "", moveIn: move_in_date ?? "", length: lease_duration ?? "" });
    }
  };
  return (
    <>
      <p className="sub">{t("acts.stay_now", { stay: text(desk.stay) || t("acts.stay_none") })}</p>
      <Choice
        label={t("acts.stay_new")}
        fault={faults.get("move_in_date") ?? faults.get("inventory_id") ?? faults.get("lease_duration")}
        value={options.some(([key]) => key === chosen) ? chosen : ""}
        options={[["", t(options.length === 0 ? "acts.stay_nothing" : "acts.stay_choose")], ...options]}
        onChoose={choose}
      />
      {desk.price_until === null ? null : (
        <p className="sub">{t("acts.stay_price_until", { until: fullMoment(desk.price_until, lang) })}</p>
      )}
    </>
  );
}

function WishedStay({ desk, draft, faults, onChange }: PartProps) {
  const { t } = useI18n();
  const lengths = [...new Set(desk.stays.map(({ lease_duration }) => lease_duration ?? ""))];
  const list = useId();
  return (
    <>
      <Field label={t("acts.move_in")} fault={faults.get("move_in_date")}>
        {(its) => (
          <input
            {...its}
            type="text"
            value={draft.moveIn}
            onChange={(event) => onChange({ moveIn: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("acts.length")} fault={faults.get("lease_duration")}>
        {(its) => (
          <input
            {...its}
            list={list}
            value={draft.length}
            onChange={(event) => onChange({ length: event.target.value })}
          />
        )}
      </Field>
      <datalist id={list}>
        {lengths.map((length) => (
          <option key={length} value={length} />
        ))}
      </datalist>
    </>
  );
}

/** The lead that is kept, and whether it takes over the number of this one. */
function Double({ desk, draft, faults, onChange }: PartProps) {
  const { t, tData } = useI18n();
  return (
    <>
      <Choice
        label={t("acts.kept")}
        fault={faults.get("kept_lead_id")}
        value={draft.kept}
        options={desk.candidates.map((one) => [
          one.lead_id,
          [one.reference, one.property, tData(`support.status_${one.status}`)].filter(Boolean).join(" · "),
        ])}
        onChoose={(kept) => onChange({ kept })}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={draft.takePhone}
          onChange={(event) => onChange({ takePhone: event.target.checked })}
        />
        {t("acts.take_phone")}
      </label>
    </>
  );
}

const MEANINGS: readonly ContactMeaning[] = ["same", "slip", "other_person"];

const CONTACT = [
  ["name", "text"],
  ["email", "email"],
  ["phone", "tel"],
] as const;

/** Empty fields stay as they are: the contact itself is shown to those alone who ask for it with a reason. */
function Contact({ desk, draft, faults, onChange }: PartProps) {
  const { t } = useI18n();
  const fields = CONTACT.map(([part, type]) => (
    <Field key={part} label={t(`acts.contact_${part}`)} fault={faults.get(part)}>
      {(its) => (
        <input
          {...its}
          type={type}
          autoComplete="off"
          value={draft[part]}
          onChange={(event) => onChange({ [part]: event.target.value })}
        />
      )}
    </Field>
  ));
  if (!desk.is_claimed || draft.email.trim() === "") return fields;
  return (
    <>
      {fields}
      <Choice
        label={t("acts.meaning")}
        fault={faults.get("meaning")}
        value={draft.meaning ?? ""}
        options={[["", t("acts.meaning_choose")], ...MEANINGS.map((one): Option => [one, t(`acts.meaning_${one}`)])]}
        onChoose={(value) => onChange({ meaning: MEANINGS.find((one) => one === value) ?? null })}
      />
      {draft.meaning === null ? null : (
        <p className="sub">
          {draft.meaning === "slip" && !desk.can_move
            ? t("acts.meaning_slip_anew_text")
            : t(`acts.meaning_${draft.meaning}_text`)}
        </p>
      )}
    </>
  );
}

function Amount({ desk, draft, faults, onChange }: PartProps) {
  const { t } = useI18n();
  if (desk.payment === null) return null;
  return (
    <RefundAmountField
      label={t("acts.amount")}
      payment={desk.payment}
      typed={draft.amount}
      fault={faults.get("amount_minor")}
      onType={(amount) => onChange({ amount })}
    />
  );
}

function Field({ children, ...rest }: LabelledFieldProps) {
  return <LabelledField {...rest}>{(its) => <div className="field">{children(its)}</div>}</LabelledField>;
}

type Option = readonly [value: string, text: string];

interface ChoiceProps {
  label: string;
  fault: string | undefined;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}

function Choice({ label, fault, value, options, onChoose }: ChoiceProps) {
  return (
    <LabelledField label={label} fault={fault}>
      {(its) => (
        <select {...its} className="field" value={value} onChange={(event) => onChoose(event.target.value)}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}
