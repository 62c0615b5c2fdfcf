import type { PaymentIntentResult, Stripe } from "@stripe/stripe-js";

type Handler = (event: object) => void;

/** What a fake of Stripe's script answers to Pay, in Stripe's own shapes. */
export interface Answers {
  confirm?: () => Promise<unknown>;
  /** Whether the fields are filled in. */
  isComplete?: () => boolean;
}

/** Stripe's script as far as the payment form uses it, at the edge of the page: no network, no frames. */
export function fakeStripe({ confirm, isComplete = () => true }: Answers = {}) {
  const handlers = new Map<string, Handler>();
  const mounted = new Set<string>();
  const confirmed: { redirect?: string; confirmParams?: { return_url?: string } }[] = [];
  const create = (kind: string) => ({
    on: (event: string, handler: Handler) => handlers.set(`${kind}.${event}`, handler),
    mount: () => mounted.add(kind),
    destroy: () => mounted.delete(kind),
  });
  const incomplete = { error: { type: "validation_error" } };
  // Only what the form uses is there: an object without a type is one for the compiler.
  const stripe: Stripe = Object.assign(Object.create(null), {
    elements: () => ({ create, submit: async () => (isComplete() ? {} : incomplete) }),
    confirmPayment: (asked: (typeof confirmed)[number]) => {
      confirmed.push(asked);
      return confirm?.() ?? new Promise<PaymentIntentResult>(() => undefined);
    },
  });
  return {
    stripe,
    mounted,
    confirmed,
    /** An event of an element, such as `payment.ready`. */
    tell: (event: string, about: object = {}) => handlers.get(event)?.(about),
  };
}
