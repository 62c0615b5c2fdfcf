interface ReasonChoiceProps<R extends string> {
  legend: string;
  reasons: readonly R[];
  /** None is chosen beforehand: a reason that nobody gave must not be recorded. */
  reason: R | null;
  text: (reason: R) => string;
  onChoose: (reason: R) => void;
}

/** Why somebody of staff does something: one of a few reasons. Its dialog opens with the focus on the one that is chosen, else on the first. */
export function ReasonChoice<R extends string>({ legend, reasons, reason, text, onChoose }: ReasonChoiceProps<R>) {
  return (
    <fieldset>
      <legend className="label">{legend}</legend>
      {reasons.map((one) => (
        <label key={one} className={one === reason ? "radio on" : "radio"}>
          <input type="radio" name="reason" className="vh" checked={one === reason} onChange={() => onChoose(one)} />
          {text(one)}
        </label>
      ))}
    </fieldset>
  );
}
