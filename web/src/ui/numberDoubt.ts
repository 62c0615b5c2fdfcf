/** Says what is wrong with a typed number: the field, and what to write instead. */
import { useState } from "react";
import { type Translate, useI18n } from "../i18n/i18n.tsx";
import { type Counted, type NumberDoubt, type Reading, readAmount, spellAmount } from "../typedNumber.ts";

/** The sentence for a doubted number. */
export function doubtText(t: Translate, field: string, typed: string, doubt: NumberDoubt, counted: Counted): string {
  const { currency, decimals } = counted;
  const example = currency === null ? "12" : spellAmount(decimals === 0 ? 1_250 : 125 * 10 ** (decimals - 1), decimals);
  const named = { field, typed: typed.trim(), example, n: decimals, currency: currency ?? "" };
  switch (doubt.kind) {
    case "no_number":
      return t("numbers.none", named);
    case "too_fine":
      return t(decimals === 0 ? "numbers.whole" : "numbers.too_fine", named);
    case "other_sign":
      return t("numbers.other_sign", named);
    case "zero":
      return t("numbers.zero", named);
    case "two_ways": {
      const [first = example, second] = doubt.write;
      if (second === undefined) return t("numbers.unclear", { ...named, first });
      return t("numbers.two_ways", { ...named, first, second });
    }
  }
}

interface TypedNumber {
  /** Null while the field is empty. */
  reading: Reading | null;
  /** What is said at the field: not before it was left, then while it is typed. */
  fault: string | null;
  onBlur: () => void;
}

/** Reads a field of a number, and says its doubt once the field was left. */
export function useTypedNumber(
  field: string,
  typed: string,
  counted: Counted,
  read: (typed: string, counted: Counted) => Reading = readAmount,
): TypedNumber {
  const { t } = useI18n();
  const [wasLeft, setWasLeft] = useState(false);
  const reading = typed.trim() === "" ? null : read(typed, counted);
  const doubt = reading !== null && "doubt" in reading ? reading.doubt : null;
  return {
    reading,
    fault: wasLeft && doubt !== null ? doubtText(t, field, typed, doubt, counted) : null,
    onBlur: () => setWasLeft(true),
  };
}
