import type { Period, Price } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { inPeriod, usePeriod } from "./period.ts";

/** What stands after a price: "a week". */
export const per: Record<Period, MessageKey> = { weekly: "ui.per_week", monthly: "ui.per_month" };

/** A price with its period, inside a sentence. */
export function usePriceText(): (price: Price) => string {
  const { t } = useI18n();
  const format = useFormat();
  const period = usePeriod();
  return (price) => {
    const shown = inPeriod(price, period);
    return `${format.money(shown.amount_minor, shown)} ${t(per[shown.duration])}`;
  };
}
