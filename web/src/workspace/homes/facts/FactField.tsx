import { type ReactNode, useState } from "react";
import type { HomeFact } from "../../../contract/wire.ts";
import type { MoneyLook } from "../../../i18n/format.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { pageLanguages } from "../../../i18n/languages.ts";
import type { Counted } from "../../../typedNumber.ts";
import { languageName } from "../../languageName.ts";
import { usePastMoment } from "../../pastMoment.ts";
import {
  ADDRESS_PARTS,
  BILLS,
  GUARANTORS,
  nameElement,
  PROPERTY_KINDS,
  readFactName,
  readParts,
  readWords,
  toggleWord,
  writePart,
} from "./factNames.ts";
import { AMOUNTS } from "./homeEdit.ts";
import { LanguageChoice } from "./LanguageChoice.tsx";
import { useFactText } from "./useFactText.ts";

interface FactFieldProps {
  fact: HomeFact;
  counted: Counted & MoneyLook;
  /** The value as the field spells it. */
  text: string;
  /** The fault that describes it. */
  faultId: string | undefined;
  onType: (text: string) => void;
}

/** The field in which a fact is typed or chosen; a fact that staff do not edit is shown. */
export function FactField(props: FactFieldProps) {
  const { fact, text, onType } = props;
  const { kind } = readFactName(fact.fact);
  switch (kind) {
    case "guarantor":
      return <Choice {...props} words={GUARANTORS} prefix="homes.guarantor_" />;
    case "bills":
      return <Choice {...props} words={BILLS} prefix="homes.bills_" />;
    case "property_kind":
      return <Choice {...props} words={PROPERTY_KINDS} prefix="homes.property_kind_" />;
    case "description":
      return <Description {...props} />;
    case "facilities":
      return <Facilities {...props} />;
    case "room_types":
      return <RoomTypes {...props} />;
    case "address":
      return <Words {...props} parts={ADDRESS_PARTS} />;
    case "room_name":
      return <RoomName {...props} />;
    case "terms":
      return <Terms {...props} />;
    case "fixed":
      return <Fixed {...props} />;
    default:
      return (
        <Control {...props}>
          {(its) => (
            <input
              {...its}
              className={kind === "price" || kind === "count" ? "inp money" : "inp"}
              inputMode={kind === "price" ? "decimal" : kind === "count" ? "numeric" : undefined}
              value={text}
              onChange={(event) => onType(event.target.value)}
            />
          )}
        </Control>
      );
  }
}

interface Its {
  id: string;
  disabled: boolean;
  "aria-labelledby": string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

/** Names a control after its fact, and describes it by its fault; in the past it is for looking. */
function Control({ fact, faultId, children }: FactFieldProps & { children: (its: Its) => ReactNode }) {
  const isPast = usePastMoment() !== null;
  return children({
    id: nameElement("fact", fact.fact),
    disabled: isPast,
    "aria-labelledby": nameElement("label", fact.fact),
    "aria-invalid": faultId !== undefined,
    "aria-describedby": faultId,
  });
}

interface ChoiceProps extends FactFieldProps {
  words: readonly string[];
  prefix: "homes.guarantor_" | "homes.bills_" | "homes.property_kind_";
}

function Choice({ words, prefix, ...props }: ChoiceProps) {
  const { t, tData } = useI18n();
  return (
    <Control {...props}>
      {(its) => (
        <select
          {...its}
          className={props.text === "" ? "inp unsaid" : "inp"}
          value={props.text}
          onChange={(event) => props.onType(event.target.value)}
        >
          <option value="">{t("homes.not_said")}</option>
          {words.map((word) => (
            <option key={word} value={word}>
              {tData(`${prefix}${word}`)}
            </option>
          ))}
        </select>
      )}
    </Control>
  );
}

/** Facilities that the catalogue knows, by their keys in `i18n/en/inventory.json`. */
const FEATURES = [
  ...["all_bills", "wifi", "water", "heating", "contents_insurance", "laundry", "gym", "bicycle_store", "lift"],
  ...["parking", "step_free", "parcel_lockers", "desk", "air_conditioning", "smart_tv", "furnished", "dishwasher"],
  ...["study_room", "lounge", "cinema_room", "games_room", "courtyard", "roof_terrace", "events", "pets_allowed"],
  ...["front_desk", "cctv", "secure_entry", "night_staff"],
];

function Facilities(props: FactFieldProps) {
  const { t } = useI18n();
  const say = useFactText();
  const chosen = readWords(props.text);
  const all = [...new Set([...FEATURES, ...chosen])];
  const shown = say(props.fact.fact, chosen, props.counted) ?? t("homes.not_said");
  return (
    <Control {...props}>
      {({ id, disabled, ...its }) => (
        <details className="chooser">
          <summary id={id} {...its} aria-labelledby={`${its["aria-labelledby"]} ${id}`}>
            {shown}
          </summary>
          <fieldset disabled={disabled}>
            <legend className="vh">{t("homes.fact_facilities")}</legend>
            {all.map((word) => (
              <label key={word} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(word)}
                  onChange={() => props.onType(toggleWord(props.text, word))}
                />
                <span>{say(props.fact.fact, [word], props.counted)}</span>
              </label>
            ))}
          </fieldset>
        </details>
      )}
    </Control>
  );
}

const SHARED = ["room", "bathroom", "kitchen"] as const;

/** Room, bathroom and kitchen: each private, shared, or not said. */
function RoomTypes(props: FactFieldProps) {
  const { t } = useI18n();
  const chosen = readWords(props.text);
  return (
    <div className="parts">
      {SHARED.map((part) => {
        const words = [`private_${part}`, `shared_${part}`];
        const choose = (word: string) => {
          const others = chosen.filter((one) => !words.includes(one));
          props.onType(JSON.stringify([...others, ...(word === "" ? [] : [word])].toSorted()));
        };
        return (
          <Part key={part} props={props} name={part} label={t(`homes.type_${part}`)}>
            {(its) => (
              <select
                {...its}
                className="inp"
                value={words.find((word) => chosen.includes(word)) ?? ""}
                onChange={(event) => choose(event.target.value)}
              >
                <option value="">{t("homes.not_said")}</option>
                <option value={`private_${part}`}>{t("homes.private")}</option>
                <option value={`shared_${part}`}>{t("homes.shared")}</option>
              </select>
            )}
          </Part>
        );
      })}
    </div>
  );
}

interface PartProps {
  props: FactFieldProps;
  name: string;
  label: string;
  children: (its: Its) => ReactNode;
}

/** A control for one part of a value, with a label of its own; the first one stands for the fact. */
function Part({ props, name, label, children }: PartProps) {
  const isPast = usePastMoment() !== null;
  const id = `${nameElement("fact", props.fact.fact)}-${name}`;
  return (
    <div>
      <label className="sub blk" id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        disabled: isPast,
        "aria-labelledby": `${nameElement("label", props.fact.fact)} ${id}-label`,
        "aria-invalid": props.faultId !== undefined,
        "aria-describedby": props.faultId,
      })}
    </div>
  );
}

function Words({ parts, ...props }: FactFieldProps & { parts: readonly string[] }) {
  const { tData, lang } = useI18n();
  const isName = readFactName(props.fact.fact).kind === "room_name";
  const typed = readParts(props.text);
  return (
    <div className="parts">
      {parts.map((part) => (
        <Part
          key={part}
          props={props}
          name={part}
          label={isName ? languageName(part, lang) : tData(`homes.address_${part}`)}
        >
          {(its) => (
            <input
              {...its}
              className="inp"
              value={typed[part] ?? ""}
              onChange={(event) => props.onType(writePart(props.text, part, event.target.value))}
            />
          )}
        </Part>
      ))}
    </div>
  );
}

/** The name of a room type in each language that it has, and the way to add one. */
function RoomName(props: FactFieldProps) {
  const { t } = useI18n();
  const said = Object.keys(readParts(props.text));
  return (
    <>
      <Words {...props} parts={said} />
      <LanguageChoice
        tags={pageLanguages().flatMap(([tag]) => (said.includes(tag) ? [] : [tag]))}
        label={t("homes.fact_room_name")}
        onAdd={(tag) => props.onType(writePart(props.text, tag, ""))}
      />
    </>
  );
}

/** A description; emptied, its language has none any more. */
function Description(props: FactFieldProps) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const { fact, text, onType } = props;
  return (
    <Control {...props}>
      {(its) => (
        <>
          <textarea {...its} className="inp" rows={5} value={text} onChange={(event) => onType(event.target.value)} />
          {fact.value === null || text === "" ? null : (
            <button type="button" className="link" disabled={isPast} onClick={() => onType("")}>
              {t("homes.remove_text")}
            </button>
          )}
          {fact.value !== null && text === "" ? <p className="sub">{t("homes.text_removed")}</p> : null}
        </>
      )}
    </Control>
  );
}

/** The deposit: an amount, none at all, or nothing said of it. */
function Deposit(props: FactFieldProps) {
  const { t } = useI18n();
  const typed = readParts(props.text);
  const [isAmount, setAmount] = useState(false);
  const amount = typed.deposit_minor ?? "";
  const said = typed.asks_no_deposit === "true" ? "none" : amount !== "" || isAmount ? "amount" : "";
  const choose = (word: string) => {
    setAmount(word === "amount");
    const none = writePart(props.text, "asks_no_deposit", String(word === "none"));
    props.onType(word === "amount" ? none : writePart(none, "deposit_minor", ""));
  };
  return (
    <>
      <Part props={props} name="deposit" label={t("homes.deposit_minor")}>
        {(its) => (
          <select {...its} className="inp" value={said} onChange={(event) => choose(event.target.value)}>
            <option value="">{t("homes.not_said")}</option>
            <option value="none">{t("homes.deposit_none")}</option>
            <option value="amount">{t("homes.deposit_amount")}</option>
          </select>
        )}
      </Part>
      {said === "amount" ? (
        <Part props={props} name="deposit_minor" label={t("homes.deposit_amount")}>
          {(its) => (
            <input
              {...its}
              className="inp money"
              inputMode="decimal"
              value={amount}
              onChange={(event) => props.onType(writePart(props.text, "deposit_minor", event.target.value))}
            />
          )}
        </Part>
      ) : null}
    </>
  );
}

function Terms(props: FactFieldProps) {
  const { t } = useI18n();
  const typed = readParts(props.text);
  const type = (name: string, text: string) => props.onType(writePart(props.text, name, text));
  return (
    <div className="parts">
      <Deposit {...props} />
      {AMOUNTS.filter((name) => name !== "deposit_minor").map((name) => (
        <Part key={name} props={props} name={name} label={t(`homes.${name}`)}>
          {(its) => (
            <input
              {...its}
              className="inp money"
              inputMode="decimal"
              placeholder={t("homes.not_said")}
              value={typed[name] ?? ""}
              onChange={(event) => type(name, event.target.value)}
            />
          )}
        </Part>
      ))}
      <Part props={props} name="booking_allowed" label={t("homes.booking_allowed")}>
        {(its) => (
          <select
            {...its}
            className="inp"
            value={typed.booking_allowed ?? ""}
            onChange={(event) => type("booking_allowed", event.target.value)}
          >
            <option value="true">{t("homes.booking_yes")}</option>
            <option value="false">{t("homes.booking_no")}</option>
          </select>
        )}
      </Part>
    </div>
  );
}

function Fixed({ fact, counted }: FactFieldProps) {
  const { t } = useI18n();
  const said = useFactText()(fact.fact, fact.value, counted);
  return said === null ? <span className="unsaid">{t("homes.not_said")}</span> : <span>{said}</span>;
}
