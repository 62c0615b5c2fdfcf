import { useMemo } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { countriesByName, countryOf, phoneCodeOf } from "./dialCodes.ts";
import { Field } from "./field.tsx";
import "./phoneField.css";

interface PhoneFieldProps {
  id: string;
  label: string;
  phoneCode: string;
  number: string;
  hint?: string;
  error?: string | null;
  disabled?: boolean;
  /** Whose number it is, where it is not the reader's own. */
  person?: string | null;
  onPhoneCode: (phoneCode: string) => void;
  onNumber: (number: string) => void;
  onBlur?: () => void;
}

/** Country code and number. The closed picker shows `ES +34`; its list shows the countries' names. */
export function PhoneField(props: PhoneFieldProps) {
  const { t, lang } = useI18n();
  const countries = useMemo(() => countriesByName(lang), [lang]);
  const section = props.person ? `section-${props.person} ` : "";
  const described = props.error ? `${props.id}-error` : props.hint ? `${props.id}-hint` : undefined;
  return (
    <Field id={props.id} label={props.label} hint={props.hint} error={props.error}>
      <div className="phone">
        <div className="phone-code">
          <span aria-hidden="true">{props.phoneCode}</span>
          <select
            className="select"
            aria-label={t("ui.phone_code")}
            name="phone_code"
            autoComplete={`${section}tel-country-code`}
            disabled={props.disabled}
            value={countryOf(props.phoneCode)}
            onChange={(event) => props.onPhoneCode(phoneCodeOf(event.target.value))}
          >
            {props.phoneCode === "" ? <option value="">{t("ui.phone_code")}</option> : null}
            {countries.map(({ country, name, code }) => (
              <option key={country} value={country}>
                {name} {code}
              </option>
            ))}
          </select>
        </div>
        <input
          className="input num"
          id={props.id}
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete={`${section}tel-national`}
          value={props.number}
          disabled={props.disabled}
          aria-invalid={props.error ? true : undefined}
          aria-describedby={described}
          onChange={(event) => props.onNumber(event.target.value)}
          onBlur={props.onBlur}
        />
      </div>
    </Field>
  );
}
