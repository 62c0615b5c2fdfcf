import { type ReactNode, Suspense, useState } from "react";
import type { Payment } from "../../contract/wire.ts";
import * as paths from "../../paths.ts";
import { ErrorBoundary } from "../../ui/errorBoundary.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useOwnDocument } from "./ownDocument.ts";
import type { HandOver } from "./paymentMachine.ts";

/** The form, and Stripe's script with it, come by themselves where Stripe takes the payment. */
const StripeForm = lazyPart(async () => (await import("./StripeForm.tsx")).StripeForm);

interface StripeWayProps {
  formId: string;
  payment: Payment;
  locked: boolean;
  notice: ReactNode;
  act: ReactNode;
  onPay: (handOver: HandOver) => void;
}

/**
 * Paying through Stripe. The server names the intent's secret while a card is asked for, after a decline too; the form stays while it is
 * paid, and takes the next card where the last was declined.
 */
export function StripeWay({ payment, ...form }: StripeWayProps) {
  const { client_secret, publishable_key } = payment.gateway;
  const [secret, setSecret] = useState(client_secret);
  if (client_secret !== null && client_secret !== secret) setSecret(client_secret);
  const isAllowed = useOwnDocument(payment.token);
  if (secret === null || publishable_key === null || !isAllowed) return <Soon />;
  const returnUrl = location.origin + paths.paymentToken(payment.token);
  return (
    <ErrorBoundary>
      <Suspense fallback={<Soon />}>
        <StripeForm
          key={secret}
          {...form}
          publishableKey={publishable_key}
          clientSecret={secret}
          returnUrl={returnUrl}
        />
      </Suspense>
    </ErrorBoundary>
  );
}

function Soon() {
  return (
    <div className="stack g16 pay-form" aria-hidden="true">
      <Skeleton height={48} radius={8} />
      <Skeleton height={48} radius={8} />
    </div>
  );
}
