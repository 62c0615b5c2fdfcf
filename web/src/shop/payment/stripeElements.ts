import type { PaymentIntent, Stripe, StripeElementLocale, StripeError } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import type { HandOver } from "./paymentMachine.ts";

/** Brings Stripe's own script from js.stripe.com and opens the account that a publishable key names. */
export type LoadStripe = (publishableKey: string) => Promise<Stripe | null>;

/** The package's `pure` entry asks js.stripe.com for nothing before this is called. */
export const loadFromStripe: LoadStripe = (publishableKey) => loadStripe(publishableKey);

/** Why Stripe's form did not hand the card over. */
export class CardRefusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface Terms {
  clientSecret: string;
  locale: StripeElementLocale;
  /** Where the page of a bank or wallet sends the payer back to. */
  returnUrl: string;
}

interface Places {
  wallets: HTMLElement;
  methods: HTMLElement;
}

/** What Stripe's elements tell the form around them. */
export interface ElementsListener {
  onReady: () => void;
  onAway: () => void;
  /** Whether this browser offers a wallet. */
  onWallets: (offered: boolean) => void;
  /** A wallet's own button was pressed and confirmed. */
  onWalletPay: (handOver: HandOver) => void;
}

export interface MountedElements {
  /** Whether all is filled in; Stripe marks the fields where it is not. */
  isComplete: () => Promise<boolean>;
  handOver: HandOver;
  leave: () => void;
}

/** Puts the wallets' buttons (Express Checkout Element) and the Payment Element into the page. */
export function mountElements(
  stripe: Stripe,
  terms: Terms,
  places: Places,
  listener: ElementsListener,
): MountedElements {
  const elements = stripe.elements({
    clientSecret: terms.clientSecret,
    locale: terms.locale,
    appearance: { variables: lookOf(document.documentElement) },
  });
  const confirmParams = { return_url: terms.returnUrl };
  const confirm = async () => stripe.confirmPayment({ elements, redirect: "if_required", confirmParams });
  // A wallet's payment is confirmed inside its event, or Stripe refuses it: nothing is awaited before.
  const handOver: HandOver = async () => {
    const { error, paymentIntent } = await confirm().catch(() => {
      throw new CardRefusal("stripe_unreachable");
    });
    if (!isUnderWay(error?.payment_intent ?? paymentIntent)) throw refusalOf(error);
    return null;
  };
  const wallets = elements.create("expressCheckout");
  wallets.on("ready", ({ availablePaymentMethods }) => listener.onWallets(availablePaymentMethods !== undefined));
  wallets.on("confirm", (event) =>
    listener.onWalletPay(async (asked) => {
      try {
        return await handOver(asked);
      } catch (refusal) {
        event.paymentFailed({ reason: "fail" });
        throw refusal;
      }
    }),
  );
  // The wallets have their buttons above.
  const methods = elements.create("payment", { wallets: { applePay: "never", googlePay: "never" } });
  methods.on("ready", listener.onReady);
  methods.on("loaderror", listener.onAway);
  wallets.mount(places.wallets);
  methods.mount(places.methods);
  return {
    isComplete: async () => (await elements.submit()).error === undefined,
    handOver,
    leave: () => {
      wallets.destroy();
      methods.destroy();
    },
  };
}

/** Vouchers and transfers are paid after the form is left: the payer has been told how. */
const PAID_LATER = /_display_details$|^display_bank_transfer_instructions$/;

/** Whether Stripe has all it needs: what becomes of it the server hears from Stripe, here it is not believed. */
function isUnderWay(intent: PaymentIntent | undefined): boolean {
  switch (intent?.status) {
    case "succeeded":
    case "processing":
    case "requires_capture":
      return true;
    case "requires_action":
      return PAID_LATER.test(intent.next_action?.type ?? "");
    default:
      return false;
  }
}

function refusalOf(error: StripeError | undefined): CardRefusal {
  // The payer closed the bank's or the wallet's window, or the bank did not know them.
  if (error === undefined || error.code === "payment_intent_authentication_failure") {
    return new CardRefusal("stripe_unconfirmed");
  }
  switch (error.type) {
    case "card_error":
      return new CardRefusal(`card_refused.${error.decline_code ?? error.code ?? ""}`);
    case "validation_error":
      return new CardRefusal("stripe_incomplete");
    case "api_connection_error":
    case "api_error":
    case "rate_limit_error":
      return new CardRefusal("stripe_unreachable");
    default:
      return new CardRefusal("card_refused.");
  }
}

/** The page's colours and corners, for fields that Stripe draws in frames of its own. */
function lookOf(root: HTMLElement) {
  const style = getComputedStyle(root);
  const token = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return {
    fontFamily: token("--font", "system-ui, sans-serif"),
    colorPrimary: token("--teal-700", "#0B5D5E"),
    colorText: token("--ink-900", "#17181C"),
    colorDanger: token("--error-700", "#B3261E"),
    borderRadius: token("--r-control", "8px"),
  };
}
