import type { Stripe } from "@stripe/stripe-js";

/**
 * The one door to Stripe.js: loaded only when a payment's gateway is Stripe, never for the sandbox (WEB.md, "How
 * loadStripe works": the pure entry injects nothing until it is called).
 */
export async function loadStripe(publishableKey: string): Promise<Stripe | null> {
  const pure = await import("@stripe/stripe-js/pure");
  return pure.loadStripe(publishableKey);
}
