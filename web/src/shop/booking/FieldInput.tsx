import { isYearFirst } from "../../i18n/format.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Arriving } from "../../ui/arriving.tsx";
import { hintOf, labelOf, optionOf } from "../../ui/formWords.ts";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { countriesByName, dialOf, phoneCodeOfDial } from "../ui/dialCodes.ts";
import { Check, SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { plainText } from "../ui/pasted.ts";
import { PhoneField } from "../ui/phoneField.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { shownDate, typedDate } from "./checkAnswers.ts";
import { type FormField, isWide } from "./fields.ts";

// Documents are asked for after the payment: most forms do without.
const FileInput = lazyPart(async () => (await import("./FileInput.tsx")).FileInput);

interface FieldInputProps {
  field: FormField;
  answer: string | boolean | undefined;
  error: string | null;
  phoneCode: string;
  /** Whose details these are, where they are not the reader's own: browsers keep them apart from the reader's. */
  person: string | null;
  onAnswer: (answer: string | boolean) => void;
  onLeave: () => void;
}

const AUTOCOMPLETE: Record<string, string> = {
  full_name: "name",
  dob: "bday",
  email: "email",
  address_line_1: "address-line1",
  address_line_2: "address-line2",
  city: "address-level2",
  state: "address-level1",
  postcode: "postal-code",
  country: "country",
};

/** The `autocomplete` of a field; another person's details are a section of their own. */
function ofPerson(person: string | null, kind: string | undefined): string {
  if (kind === undefined) return "off";
  return person === null ? kind : `section-${person} ${kind}`;
}

/** One question, drawn by its type; unknown types are text (D89). */
export function FieldInput(props: FieldInputProps) {
  const { t, lang } = useI18n();
  const { field, answer, error, onAnswer, onLeave } = props;
  const text = typeof answer === "string" ? answer : "";
  const shared = {
    label: labelOf(field, t),
    hint: hintOf(field, t),
    error,
    optional: !field.required,
    name: field.key,
    autoComplete: ofPerson(props.person, AUTOCOMPLETE[field.key]),
    className: isWide(field) ? "span2" : "",
    onBlur: onLeave,
  };
  switch (field.type) {
    case "checkbox":
      return <CheckInput {...props} />;
    case "phone":
      return <PhoneInput {...props} />;
    case "select":
      return (
        <SelectField {...shared} value={text} onChange={(event) => onAnswer(event.target.value)}>
          <option value="">{t("booking.choose")}</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {optionOf(option, t)}
            </option>
          ))}
        </SelectField>
      );
    case "country":
      return (
        <SelectField {...shared} value={text} onChange={(event) => onAnswer(event.target.value)}>
          <option value="">{t("booking.choose")}</option>
          {countriesByName(lang).map(({ country, name }) => (
            <option key={country} value={country}>
              {name}
            </option>
          ))}
        </SelectField>
      );
    case "textarea":
      return <TextAreaField {...shared} rows={2} value={text} onChange={(event) => onAnswer(event.target.value)} />;
    case "date":
      return (
        <TextField
          {...shared}
          inputMode="numeric"
          value={shownDate(text, isYearFirst(lang))}
          onChange={(event) => onAnswer(typedDate(event.target.value, isYearFirst(lang)))}
        />
      );
    case "email":
      return <TextField {...shared} type="email" value={text} onChange={(event) => onAnswer(event.target.value)} />;
    case "file":
      return (
        <Arriving meanwhile={<Skeleton height={96} />}>
          <FileInput
            name={field.key}
            label={shared.label}
            optional={shared.optional}
            error={error}
            value={text}
            onAnswer={onAnswer}
          />
        </Arriving>
      );
    case "text":
      return <TextField {...shared} value={text} onChange={(event) => onAnswer(event.target.value)} />;
  }
}

function CheckInput({ field, answer, error, onAnswer }: FieldInputProps) {
  const { t } = useI18n();
  return (
    <div className="span2">
      <Check
        name={field.key}
        checked={answer === true}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onAnswer(event.target.checked)}
      >
        {labelOf(field, t)}
      </Check>
      {error ? <p className="err">{error}</p> : null}
    </div>
  );
}

/** Kept as `+34 612345678`, so that the number comes back with its own country code. */
function PhoneInput({ field, answer, error, phoneCode, person, onAnswer, onLeave }: FieldInputProps) {
  const { t } = useI18n();
  const text = typeof answer === "string" ? answer : "";
  const [dial = "", ...rest] = text.split(" ");
  const code = dial.startsWith("+") && dial.length <= 5 ? phoneCodeOfDial(dial) : "";
  const picked = code !== "" && dialOf(phoneCode) !== dial ? code : phoneCode;
  const number = code === "" ? text : rest.join(" ");
  return (
    <div className="span2">
      <PhoneField
        id={`field-${field.key}`}
        label={labelOf(field, t)}
        phoneCode={picked}
        number={number}
        error={error}
        person={person}
        onPhoneCode={(next) => onAnswer(`${dialOf(next)} ${number}`)}
        onNumber={(next) => onAnswer(`${dialOf(picked)} ${plainText(next)}`)}
        onBlur={onLeave}
      />
    </div>
  );
}
