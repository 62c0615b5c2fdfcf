import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../../ui/icon.tsx";

interface Labelled {
  label: string;
  /** Below the field; an error takes its place. */
  hint?: ReactNode;
  /** A sentence that says what to do. */
  error?: string | null | undefined;
  /** Says "optional" after the label. */
  optional?: boolean;
  className?: string;
}

interface Wiring {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

function useWiring(given: string | undefined, error: unknown, hint: unknown): Wiring {
  const made = useId();
  const id = given ?? made;
  return {
    id,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? `${id}-error` : hint ? `${id}-hint` : undefined,
  };
}

/** Label above, hint below; an error replaces the hint. For controls that are not one of the fields here. */
export function Field({
  id,
  label,
  hint,
  error,
  optional,
  className = "",
  children,
}: Labelled & { id: string; children: ReactNode }) {
  const { t } = useI18n();
  return (
    <div className={`field${error ? " bad" : ""} ${className}`.trim()}>
      <label className="label" htmlFor={id}>
        {label} {optional ? <span className="opt">{t("ui.optional")}</span> : null}
      </label>
      {children}
      {error ? (
        <p className="err" id={`${id}-error`}>
          <Icon name="alert" size={16} />
          <span>{error}</span>
        </p>
      ) : hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

type TextFieldProps = Labelled & Omit<InputHTMLAttributes<HTMLInputElement>, "className">;

export function TextField({ label, hint, error, optional, className, ...input }: TextFieldProps) {
  const wiring = useWiring(input.id, error, hint);
  return (
    <Field {...{ label, hint, error, id: wiring.id }} {...(optional && { optional })} {...(className && { className })}>
      <input type="text" {...input} {...wiring} className="input" />
    </Field>
  );
}

type SelectFieldProps = Labelled & Omit<SelectHTMLAttributes<HTMLSelectElement>, "className"> & { children: ReactNode };

export function SelectField({ label, hint, error, optional, className, children, ...select }: SelectFieldProps) {
  const wiring = useWiring(select.id, error, hint);
  return (
    <Field {...{ label, hint, error, id: wiring.id }} {...(optional && { optional })} {...(className && { className })}>
      <select {...select} {...wiring} className="select">
        {children}
      </select>
    </Field>
  );
}

type TextAreaProps = Labelled & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "className">;

export function TextAreaField({ label, hint, error, optional, className, ...area }: TextAreaProps) {
  const wiring = useWiring(area.id, error, hint);
  return (
    <Field {...{ label, hint, error, id: wiring.id }} {...(optional && { optional })} {...(className && { className })}>
      <textarea rows={4} {...area} {...wiring} className="input" />
    </Field>
  );
}

interface CheckProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "type"> {
  children: ReactNode;
  kind?: "checkbox" | "radio";
  /** How many results it would leave, at the line's end. */
  count?: number | string | undefined;
}

/** A tick box or radio with its words; disabled ones stay readable. */
export function Check({ children, kind = "checkbox", count, ...input }: CheckProps) {
  return (
    <label className={`check${input.disabled ? " off" : ""}`}>
      <input {...input} type={kind} />
      <span>{children}</span>
      {count === undefined ? null : <span className="n">{count}</span>}
    </label>
  );
}

/** Choice tiles: radios in 56 px boxes. */
export function Tiles<V extends string>({
  legend,
  name,
  value,
  options,
  onChange,
}: {
  legend: string;
  name: string;
  value: V | null;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
}) {
  return (
    <fieldset>
      <legend className="label" style={{ marginBottom: 6 }}>
        {legend}
      </legend>
      <div className="pick">
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
