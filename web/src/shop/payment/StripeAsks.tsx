import type { PaymentIntent, Stripe } from "@stripe/stripe-js";
import { type ReactNode, useEffect, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Outcome } from "./Outcome.tsx";
import { useOwnDocument } from "./ownDocument.ts";
import { type LoadStripe, loadFromStripe } from "./stripeElements.ts";

interface StripeAsksProps {
  token: string;
  publishableKey: string;
  clientSecret: string;
  /** Shown while nothing is asked: what becomes of the payment the server says. */
  waiting: ReactNode;
  load?: LoadStripe;
}

/** Steps that Stripe's script can show again. A voucher is none: the payer has its number, and pays elsewhere. */
const isAsked = (intent: PaymentIntent | undefined) =>
  intent?.status === "requires_action" && !intent.next_action?.type.endsWith("_display_details");

/** The bank's question to a payer whose page was closed or loaded again while it was open. */
export function StripeAsks({ token, publishableKey, clientSecret, waiting, load = loadFromStripe }: StripeAsksProps) {
  const { t } = useI18n();
  const isAllowed = useOwnDocument(token);
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [busy, setBusy] = useState(false);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const visit = { left: false };
    const look = async () => {
      if (!isAllowed) return;
      const loaded = await load(publishableKey);
      const found = await loaded?.retrievePaymentIntent(clientSecret);
      if (!visit.left && loaded && isAsked(found?.paymentIntent)) setStripe(loaded);
    };
    // Without Stripe's script the page goes on waiting for the server.
    look().catch(() => undefined);
    return () => {
      visit.left = true;
    };
  }, [isAllowed, publishableKey, clientSecret, load]);
  if (stripe === null) return waiting;
  const go = async () => {
    setBusy(true);
    setLost(false);
    const answer = await stripe.handleNextAction({ clientSecret }).catch(() => null);
    setBusy(false);
    // A bank's window that was closed, or a lost connection, leaves the question open.
    setLost(answer === null || answer.error?.type === "api_connection_error");
    if (answer !== null && answer.error?.type !== "api_connection_error" && !isAsked(answer.paymentIntent))
      setStripe(null);
  };
  return (
    <Outcome icon="bank" tone="info" title={t("payment.bank_asks_title")}>
      <p className="t-18 soft flow-lead">{t("payment.stripe_asks_text")}</p>
      {lost ? (
        <div style={{ marginTop: 16 }}>
          <Banner kind="warning">{t("payment.stripe_asks_lost")}</Banner>
        </div>
      ) : null}
      <div className="row wrapx flow-acts">
        <Button look="primary" busy={busy} onClick={() => void go()}>
          {t("payment.stripe_asks_go")}
        </Button>
      </div>
    </Outcome>
  );
}
