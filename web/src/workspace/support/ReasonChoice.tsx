interface ReasonChoiceProps<R extends string> {
  legend: string;
  reasons: readonly R[];
  reason: R;
  text: (reason: R) => string;
  onChoose: (reason: R) => void;
}

/** Why somebody of staff does something: one of a few reasons. Its dialog opens with the focus on the one that is chosen. */
export function ReasonChoice<R extends string>({ legend, reasons, reason, text, onChoose }: ReasonChoiceProps<R>) {
  return (
    <fieldset>
      <legend className="label">{legend}</legend>
      {reasons.map((one) => (
        <label key={one} className={one === reason ? "radio on" : "radio"}>
          <input
            type="radio"
            name="reason"
            className="vh"
            data-first={one === reason ? true : undefined}
            checked={one === reason}
            onChange={() => onChoose(one)}
          />
          {text(one)}
        </label>
      ))}
    </fieldset>
  );
}
