import { type ReactNode, useId } from "react";
import type { LeadDesk } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { exact } from "../amounts.ts";
import type { Draft } from "./actDraft.ts";
import { CAUSES, type MenuAct } from "./actList.ts";

interface ActFieldsProps {
  act: MenuAct;
  desk: LeadDesk;
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}

/** What an act needs beside its reason. */
export function ActFields({ act, desk, draft, onChange }: ActFieldsProps) {
  const { t } = useI18n();
  switch (act) {
    case "close":
      return (
        <Choice
          label={t("acts.cause")}
          value={draft.cause}
          options={CAUSES.map((cause) => [cause, t(`acts.cause_${cause}`)])}
          onChoose={(value) => onChange({ cause: CAUSES.find((cause) => cause === value) ?? "other" })}
        />
      );
    case "assign":
      return (
        <Choice
          label={t("acts.owner")}
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
      return <Stay desk={desk} draft={draft} onChange={onChange} />;
    case "change_room":
      return (
        <Choice
          label={t("acts.room")}
          value={draft.room}
          options={desk.rooms.map(({ inventory_id, name }) => [inventory_id, name])}
          onChoose={(room) => onChange({ room })}
        />
      );
    case "correct_contact":
      return <Contact draft={draft} onChange={onChange} />;
    case "mark_double":
      return <Double desk={desk} draft={draft} onChange={onChange} />;
    case "set_team":
      return (
        <Choice
          label={t("acts.team")}
          value={draft.team}
          options={[...desk.teams.map((team): Option => [team, team]), ["", t("acts.team_none")]]}
          onChoose={(team) => onChange({ team })}
        />
      );
    case "ask_refund":
      return <Amount desk={desk} draft={draft} onChange={onChange} />;
    default:
      return null;
  }
}

type FieldProps = Omit<ActFieldsProps, "act">;

function Stay({ desk, draft, onChange }: FieldProps) {
  const { t } = useI18n();
  const lengths = [...new Set(desk.stays.map(({ lease_duration }) => lease_duration ?? ""))];
  const list = useId();
  return (
    <>
      <Field label={t("acts.move_in")}>
        {(id) => (
          <input
            id={id}
            type="text"
            value={draft.moveIn}
            onChange={(event) => onChange({ moveIn: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("acts.length")}>
        {(id) => (
          <input
            id={id}
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
function Double({ desk, draft, onChange }: FieldProps) {
  const { t, tData } = useI18n();
  return (
    <>
      <Choice
        label={t("acts.kept")}
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

const CONTACT = [
  ["name", "text"],
  ["email", "email"],
  ["phone", "tel"],
] as const;

/** Empty fields stay as they are: the contact itself is shown to those alone who ask for it with a reason. */
function Contact({ draft, onChange }: Omit<FieldProps, "desk">) {
  const { t } = useI18n();
  return CONTACT.map(([part, type]) => (
    <Field key={part} label={t(`acts.contact_${part}`)}>
      {(id) => (
        <input
          id={id}
          type={type}
          autoComplete="off"
          value={draft[part]}
          onChange={(event) => onChange({ [part]: event.target.value })}
        />
      )}
    </Field>
  ));
}

function Amount({ desk, draft, onChange }: FieldProps) {
  const { t } = useI18n();
  if (desk.payment === null) return null;
  const { refundable_minor, decimals, currency } = desk.payment;
  const left = `${exact(refundable_minor, decimals)} ${currency}`;
  return (
    <Field label={t("acts.amount", { left })}>
      {(id) => (
        <input
          id={id}
          inputMode="decimal"
          value={draft.amount}
          onChange={(event) => onChange({ amount: event.target.value })}
        />
      )}
    </Field>
  );
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="field">{children(id)}</div>
    </>
  );
}

type Option = readonly [value: string, text: string];

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <select id={id} className="field" value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </>
  );
}
