/** Amounts of which only whole units of a currency are asked for: `1.250` is doubted as any other amount is (decision 0033). */
import type { Translate } from "../i18n/i18n.tsx";
import { type NumberDoubt, type Reading, readNumber, WHOLE } from "../typedNumber.ts";
import { doubtText } from "../ui/numberDoubt.ts";

const HUNDREDTHS = { currency: null, decimals: 2 };

/** Reads a whole amount; `domain::typed_number::read_whole_amount` is the same reader on the server. */
export function readWholeAmount(typed: string): Reading {
  const reading = readNumber(typed, HUNDREDTHS);
  if ("doubt" in reading) return reading;
  return reading.number % 100 === 0 ? { number: reading.number / 100 } : { doubt: { kind: "too_fine" } };
}

/** The sentence for a doubted whole amount: both readings, and the one that can be written. */
export function wholeAmountDoubt(t: Translate, field: string, typed: string, doubt: NumberDoubt): string {
  if (doubt.kind !== "two_ways") return doubtText(t, field, typed, doubt, WHOLE);
  const [whole = "", part] = doubt.write;
  const named = { field, typed: typed.trim(), whole };
  return part === undefined ? t("finance.whole_unclear", named) : t("finance.whole_two_ways", { ...named, part });
}
