import { type ReactNode, useId } from "react";

/** What the control carries: its id, its hint, and the fault where the server refused its value. */
interface Control {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

export interface LabelledFieldProps {
  label: string;
  /** What the server refused of it. */
  fault: string | undefined;
  hint?: string | undefined;
  children: (its: Control) => ReactNode;
}

/** A label, its control, and beneath it a hint and what the server refused. */
export function LabelledField({ label, fault, hint, children }: LabelledFieldProps) {
  const [id, problem, help] = [useId(), useId(), useId()];
  const described = [hint === undefined ? [] : [help], fault === undefined ? [] : [problem]].flat();
  return (
    <>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        "aria-invalid": fault !== undefined,
        "aria-describedby": described.length === 0 ? undefined : described.join(" "),
      })}
      {hint === undefined ? null : (
        <p id={help} className="sub">
          {hint}
        </p>
      )}
      {fault === undefined ? null : (
        <p id={problem} className="err" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
