/** What a refund would do, worked out before it is sent. */
import type { PaymentDossier } from "../../contract/wire.ts";
import { numberOf, readAmount } from "../../typedNumber.ts";
import { exact } from "../amounts.ts";

export type RefundPlan =
  | {
      ready: true;
      amount_minor: number;
      refundedAfter: number;
      leftAfter: number;
      whole: boolean;
      /** It is above the limit: a second person is asked. */
      asks: boolean;
      /** The amount has to be typed before it is sent. */
      typed: boolean;
    }
  | { ready: false; because: "no_amount" | "too_much" | "nothing_left" };

/** Nothing is chosen at first. */
export type Asked = { how: "open" } | { how: "all" } | { how: "part"; typed: string };

/** The plan for what was asked; above what the reader can give back alone a second person is asked. */
export function planRefund(dossier: PaymentDossier, asked: Asked): RefundPlan {
  const most = dossier.refundable_minor;
  if (most <= 0) return { ready: false, because: "nothing_left" };
  const amount_minor = amountOf(dossier, asked);
  if (amount_minor === null) return { ready: false, because: "no_amount" };
  if (amount_minor > most) return { ready: false, because: "too_much" };
  return {
    ready: true,
    amount_minor,
    refundedAfter: dossier.refunded_minor + dossier.refund_pending_minor + amount_minor,
    leftAfter: most - amount_minor,
    whole: amount_minor === most,
    asks: dossier.alone_minor !== null && amount_minor > dossier.alone_minor,
    typed: asked.how === "all" && amount_minor > dossier.typed_above_minor,
  };
}

function amountOf(dossier: PaymentDossier, asked: Asked): number | null {
  switch (asked.how) {
    case "open":
      return null;
    case "all":
      return dossier.refundable_minor;
    case "part":
      return numberOf(readAmount(asked.typed, dossier));
  }
}

/** Whether a large amount was typed as it is: as the page shows it, or in another way that is read as the same. */
export function isTyped(dossier: PaymentDossier, plan: RefundPlan, typed: string): boolean {
  if (!plan.ready || !plan.typed) return true;
  const isAsShown = typed.trim() === exact(plan.amount_minor, dossier.decimals);
  return isAsShown || numberOf(readAmount(typed, dossier)) === plan.amount_minor;
}
