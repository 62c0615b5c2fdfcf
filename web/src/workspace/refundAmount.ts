/** The amount of a refund: the most that can be given back, said before it is typed, and what is wrong with what was typed. */
import { type Translate, useI18n } from "../i18n/i18n.tsx";
import { type Counted, numberOf, readAmount } from "../typedNumber.ts";
import { doubtText, useTypedNumber } from "../ui/numberDoubt.ts";
import { writeMoney } from "./amounts.ts";

/** The amount that can still be given back of a payment, in minor units. */
export interface Refundable extends Counted {
  refundable_minor: number;
  /** How much of it the reader can give back without a second person; null without a limit, and where others give it back. */
  alone_minor?: number | null;
}

/** The most that can be given back, and what a higher amount gets. */
export function refundMost(t: Translate, payment: Refundable): string {
  const { refundable_minor, alone_minor = null } = payment;
  const most = writeMoney(refundable_minor, payment);
  if (alone_minor === null || alone_minor >= refundable_minor) return t("finance.refund_most", { most });
  if (alone_minor === 0) return t("finance.refund_most_second", { most });
  return t("finance.refund_most_alone", { most, alone: writeMoney(alone_minor, payment) });
}

/** The fault of a typed amount; null while the field is empty. */
export function refundFault(t: Translate, typed: string, payment: Refundable): string | null {
  if (typed.trim() === "") return null;
  const reading = readAmount(typed, payment);
  if ("doubt" in reading) return doubtText(t, t("finance.amount"), typed, reading.doubt, payment);
  return tooMuch(t, reading.number, payment);
}

function tooMuch(t: Translate, amount: number, payment: Refundable): string | null {
  const { refundable_minor } = payment;
  return amount > refundable_minor
    ? t("finance.refund_too_much", { most: writeMoney(refundable_minor, payment) })
    : null;
}

/** The field of a refund: a doubt is said once it was left, more than there is while it is typed. */
export function useRefundAmount(typed: string, payment: Refundable) {
  const { t } = useI18n();
  const { reading, fault, onBlur } = useTypedNumber(t("finance.amount"), typed, payment);
  const amount = reading && numberOf(reading);
  return {
    most: refundMost(t, payment),
    fault: (amount === null ? null : tooMuch(t, amount, payment)) ?? fault,
    onBlur,
  };
}
