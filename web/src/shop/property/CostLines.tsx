import type { PaymentType, PropertyPage } from "../../contract/wire.ts";
import { money, number } from "../../i18n/format.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { dueOf, processingFee } from "../ui/fee.ts";
import type { Choice } from "./choice.ts";
import { wholeStay } from "./cost.ts";

const names: Record<PaymentType, MessageKey> = {
  deposit: "property.pay_deposit",
  refundable_token: "property.pay_token",
  platform_fee: "property.pay_platform_fee",
  rent: "property.pay_rent",
};

/** What the stay costs and what is paid first, the card's fee included: nothing appears later. */
export function CostLines({ property, choice }: { property: PropertyPage; choice: Choice }) {
  const { t, lang } = useI18n();
  const { option } = choice;
  const stay = option ? wholeStay(option) : null;
  const due = dueOf(property.payment_summary, option?.deposit ?? null);
  const [first] = due;
  if (!property.bookable || !property.available) return null;
  const subtotal = due.reduce((sum, line) => sum + line.amount.amount_minor, 0);
  const fee = first ? processingFee(subtotal, property.processing_fee_percent, first.amount.decimals) : 0;
  return (
    <dl className="lines t-14">
      {option && stay !== null ? (
        <Line
          name={t(option.lease_duration_unit === "weeks" ? "property.weeks_times" : "property.months_times", {
            n: option.lease_duration,
            price: money(option.price.amount_minor, option.price, lang),
          })}
          value={money(stay, option.price, lang)}
        />
      ) : null}
      {due.map((line) => (
        <Line
          key={line.type}
          name={t(line.is_default ? "property.pay_deposit_default" : names[line.type])}
          value={money(line.amount.amount_minor, line.amount, lang)}
        />
      ))}
      {first && fee > 0 ? (
        <Line
          name={t("property.fee", { percent: number(Number(property.processing_fee_percent), lang) })}
          value={money(fee, first.amount, lang, "exact")}
        />
      ) : null}
    </dl>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
