/** What the fields of conditions hold, as the server takes it; `null` leaves the condition as it is. */
import type { WhatIf, WhatIfConditions } from "../../../contract/wire.ts";

/** What the field holds is a moment of the reader's own time zone. */
export function instantOf(typed: string): string | null {
  const moment = new Date(typed);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** Whether anything is taken to be otherwise. */
export function isConditional({ at, refund_limit, price_at, leave_out, provider_refuses }: WhatIfConditions): boolean {
  return provider_refuses === true || [at, refund_limit, price_at, leave_out].some((one) => one != null);
}

/** Whether the stay would cost something else. */
export function isRepriced(price: WhatIf["stay_price"]): price is NonNullable<WhatIf["stay_price"]> {
  return price !== null && price.before_minor !== price.after_minor;
}
