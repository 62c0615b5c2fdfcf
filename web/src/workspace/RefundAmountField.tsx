import { LabelledField } from "./LabelledField.tsx";
import { type Refundable, useRefundAmount } from "./refundAmount.ts";

interface RefundAmountFieldProps {
  label: string;
  payment: Refundable;
  typed: string;
  /** Its fault when it was sent. */
  fault: string | undefined;
  onType: (typed: string) => void;
}

/** An amount to give back, with the most that there is. */
export function RefundAmountField({ label, payment, typed, fault, onType }: RefundAmountFieldProps) {
  const field = useRefundAmount(typed, payment);
  return (
    <LabelledField label={label} hint={field.most} fault={field.fault ?? fault}>
      {(its) => (
        <div className="field">
          <input
            {...its}
            inputMode="decimal"
            value={typed}
            onBlur={field.onBlur}
            onChange={(event) => onType(event.target.value)}
          />
        </div>
      )}
    </LabelledField>
  );
}
