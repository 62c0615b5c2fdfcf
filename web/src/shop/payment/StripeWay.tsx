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
  declined: boolean;
  notice: ReactNode;
  act: ReactNode;
  onPay: (handOver: HandOver) => void;
  /** Asks for a form after a decline that this page has no form for, such as after a reload. */
  onAgain: () => void;
}

/** Paying through Stripe. The server names the intent's secret only while a card is asked for; the form stays while it is paid. */
export function StripeWay({ payment, onAgain, declined, ...form }: StripeWayProps) {
  const { client_secret, publishable_key } = payment.gateway;
  const [secret, setSecret] = useState(client_secret);
  if (client_secret !== null && client_secret !== secret) setSecret(client_secret);
  const isAllowed = useOwnDocument(payment.token);
  if (secret === null && declined) {
    return (
      <form
        id={form.formId}
        className="stack pay-form"
        onSubmit={(event) => {
          event.preventDefault();
          onAgain();
        }}
      >
        {form.notice}
        {form.act}
      </form>
    );
  }
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
