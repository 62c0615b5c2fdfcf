import { type ReactNode, useId } from "react";

/** What the control carries: its id, and the fault where the server refused its value. */
interface Control {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

export interface LabelledFieldProps {
  label: string;
  /** What the server refused of it. */
  fault: string | undefined;
  children: (its: Control) => ReactNode;
}

/** A label, its control, and beneath it what the server refused. */
export function LabelledField({ label, fault, children }: LabelledFieldProps) {
  const [id, problem] = [useId(), useId()];
  return (
    <>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        "aria-invalid": fault !== undefined,
        "aria-describedby": fault === undefined ? undefined : problem,
      })}
      {fault === undefined ? null : (
        <p id={problem} className="err" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
