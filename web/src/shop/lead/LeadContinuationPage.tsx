import { type FormEvent, useState } from "react";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import { type Counted, type Reading, readNumber } from "../../typedNumber.ts";
import { Icon } from "../../ui/icon.tsx";
import type { LeadChanges } from "../../ui/leadChange.ts";
import { doubtText } from "../../ui/numberDoubt.ts";
import { useRoomName } from "../../ui/roomKind.ts";
import { Field } from "../ui/field.tsx";
import type { LeadInventory } from "../ui/overlays.ts";
import type { LeadDraft } from "./useLeadDraft.ts";

interface LeadContinuationPageProps {
  formId: string;
  inventory: LeadInventory | null;
  draft: LeadDraft;
  /** What the lead was told, from the deck. */
  received: string;
  failed: boolean;
  /** The room is asked for where none is booked yet. */
  asksRoom: boolean;
  onSave: (continuation: LeadChanges) => void;
}

const MOST_STUDENTS = 8;
const BUDGET_ID = "lead-budget";

/** Page 2: what helps to check the right room. All of it can be skipped. */
export function LeadContinuationPage(props: LeadContinuationPageProps) {
  const { t } = useI18n();
  const { draft, inventory } = props;
  const [students, setStudents] = useState(() => Number(draft.values.no_of_students ?? "1") || 1);
  const [pressed, setPressed] = useState(false);
  const budget = readBudget(draft.values.budget ?? "", inventory);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPressed(true);
    if ("doubt" in budget) return event.currentTarget.querySelector<HTMLElement>(`#${BUDGET_ID}`)?.focus();
    props.onSave(continuationOf(draft, students, budget.number, inventory));
  };
  const setNumber = (next: number) => {
    const kept = Math.min(MOST_STUDENTS, Math.max(1, next));
    setStudents(kept);
    draft.set("no_of_students", String(kept));
  };
  return (
    <form id={props.formId} className="stack g24" noValidate onSubmit={save}>
      <p className="banner banner-success" role="status">
        <Icon name="ok" size={20} />
        <span>
          <strong>{props.received}</strong>
          {spaceAfter(props.received)}
          {t("lead.skip_note")}
        </span>
      </p>
      {props.failed ? (
        <p className="banner banner-error" role="alert" data-arrival>
          <Icon name="alert" size={20} />
          <span>{t("lead.save_failed")}</span>
        </p>
      ) : null}
      <UniversityField draft={draft} inventory={inventory} />
      {props.asksRoom ? <RoomTiles draft={draft} inventory={inventory} /> : null}
      <div className="two two-n">
        <StudentsField students={students} onChange={setNumber} />
        <BudgetField draft={draft} inventory={inventory} reading={pressed ? budget : null} />
      </div>
    </form>
  );
}

/** What the home's prices are counted in. */
function countedOf(inventory: LeadInventory | null): Counted {
  return { currency: inventory?.price?.currency ?? null, decimals: inventory?.price?.decimals ?? 2 };
}

/** The budget in minor units, of whole units alone; an empty field is none. */
function readBudget(typed: string, inventory: LeadInventory | null): Reading {
  if (typed.trim() === "") return { number: 0 };
  const counted = countedOf(inventory);
  const reading = readNumber(typed, counted);
  const isWhole = "doubt" in reading || reading.number % 10 ** counted.decimals === 0;
  return isWhole ? reading : { doubt: { kind: "too_fine" } };
}

/** A field never touched stays as it was; an emptied one is cleared (D82). */
function continuationOf(
  draft: LeadDraft,
  students: number,
  budget_minor: number,
  inventory: LeadInventory | null,
): LeadChanges {
  const { university, configuration, no_of_students, budget } = draft.values;
  const amount = budget_minor / 10 ** countedOf(inventory).decimals;
  return {
    // An edited lead that names no number names none until one is chosen.
    ...(no_of_students !== "" && { "data/no_of_students": students }),
    ...(university !== undefined && { "data/university": university.trim() || null }),
    ...(configuration !== undefined && { "data/configuration": configuration || null }),
    ...(budget !== undefined && { "data/budget": amount || null }),
    ...(amount > 0 &&
      inventory?.price && {
        "data/budget_currency": inventory.price.currency,
        "data/budget_duration": inventory.price.duration,
      }),
  };
}

interface PartProps {
  draft: LeadDraft;
  inventory: LeadInventory | null;
}

function UniversityField({ draft, inventory }: PartProps) {
  const { t } = useI18n();
  return (
    <Field id="lead-university" label={t("lead.university")} optional>
      <div className="iconed">
        <input
          className="input"
          id="lead-university"
          list="lead-universities"
          autoComplete="off"
          value={draft.values.university ?? ""}
          onChange={(event) => draft.set("university", event.target.value)}
        />
        <Icon name="cap" />
        <datalist id="lead-universities">
          {(inventory?.universities ?? []).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
    </Field>
  );
}

/** Room kinds with their lowest prices; "Not sure yet" clears the choice. */
function RoomTiles({ draft, inventory }: PartProps) {
  const { t } = useI18n();
  const format = useFormat();
  const roomName = useRoomName();
  const rooms = inventory?.rooms ?? [];
  const chosen = draft.values.configuration ?? inventory?.configuration ?? "";
  if (rooms.length === 0) return null;
  return (
    <fieldset>
      <legend className="label" style={{ marginBottom: 6 }}>
        {t("lead.which_room")}
      </legend>
      <div className="pick">
        {rooms.map(({ name, from }) => (
          <label key={name}>
            <input
              type="radio"
              name="lead-room"
              checked={chosen === name}
              onChange={() => draft.set("configuration", name)}
            />
            <span>
              <span className="m" style={{ display: "block" }}>
                {roomName(name)}
              </span>
              <span className="t-14 muted num">
                {t("lead.from_price", {
                  price: t(`lead.price_${from.duration}`, { price: format.money(from.amount_minor, from) }),
                })}
              </span>
            </span>
          </label>
        ))}
        <label>
          <input
            type="radio"
            name="lead-room"
            checked={chosen === ""}
            onChange={() => draft.set("configuration", "")}
          />
          <span className="m">{t("lead.not_sure")}</span>
        </label>
      </div>
    </fieldset>
  );
}

function StudentsField({ students, onChange }: { students: number; onChange: (next: number) => void }) {
  const { t } = useI18n();
  return (
    <div className="field">
      <span className="label" id="lead-students">
        {t("lead.students")}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its legend inside the bordered stepper */}
      <div className="stepper-in" role="group" aria-labelledby="lead-students">
        <button type="button" aria-label={t("lead.fewer")} onClick={() => onChange(students - 1)}>
          <Icon name="minus" size={20} />
        </button>
        <span className="m" aria-live="polite">
          {students}
        </span>
        <button type="button" aria-label={t("lead.more")} onClick={() => onChange(students + 1)}>
          <Icon name="plus" size={20} />
        </button>
      </div>
    </div>
  );
}

function BudgetField({ draft, inventory, reading }: PartProps & { reading: Reading | null }) {
  const { t } = useI18n();
  const monthly = inventory?.price?.duration === "monthly";
  const typed = draft.values.budget ?? "";
  const doubt = reading !== null && "doubt" in reading ? reading.doubt : null;
  const counted = { ...countedOf(inventory), ...(doubt?.kind === "too_fine" && { decimals: 0 }) };
  const fault = doubt && doubtText(t, t("lead.budget"), typed, doubt, counted);
  return (
    <Field id={BUDGET_ID} label={t("lead.budget")} error={fault} optional>
      <div className="suffixed">
        <input
          className="input num"
          id={BUDGET_ID}
          inputMode="decimal"
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${BUDGET_ID}-error`}
          autoComplete="off"
          placeholder={inventory?.price?.symbol ?? ""}
          value={typed}
          onChange={(event) => draft.set("budget", event.target.value)}
        />
        <span>{t(monthly ? "lead.per_month" : "lead.per_week")}</span>
      </div>
    </Field>
  );
}
