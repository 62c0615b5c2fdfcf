import { expect, test } from "vitest";
import { fakeStripe } from "../../testing/fakeStripe.ts";
import { declineText, troubleText } from "./decline.ts";
import { mountElements } from "./stripeElements.ts";
import { hasReturned, withoutRedirect } from "./stripeReturn.ts";

const terms = { clientSecret: "pi_1_secret_2", locale: "en", returnUrl: "https://homes.example/payments/t-1" } as const;
const asked = { token: "t-1", version: 3, challenge: null };
const quiet = { onReady() {}, onAway() {}, onWallets() {}, onWalletPay() {} };

/** What the form hands over when Stripe answers Pay like this. */
function handOver(confirm: () => Promise<unknown>) {
  const fake = fakeStripe({ confirm });
  const places = { wallets: document.createElement("div"), methods: document.createElement("div") };
  const mounted = mountElements(fake.stripe, terms, places, quiet);
  return { answer: mounted.handOver(asked), fake, mounted };
}

const intent = (status: string, next?: string) => ({
  paymentIntent: { status, next_action: next ? { type: next } : null },
});

test("Stripe is told where a bank's page leads back to", async () => {
  const { answer, fake } = handOver(async () => intent("succeeded"));
  await expect(answer).resolves.toBeNull();
  expect(fake.confirmed).toMatchObject([
    { redirect: "if_required", confirmParams: { return_url: "https://homes.example/payments/t-1" } },
  ]);
});

test.each([
  ["succeeded", undefined],
  ["processing", undefined],
  ["requires_action", "multibanco_display_details"],
])("a payment that is %s at Stripe waits for the server", async (status, next) => {
  await expect(handOver(async () => intent(status, next)).answer).resolves.toBeNull();
});

test("a closed window of the bank or wallet is not a payment", async () => {
  const closed = handOver(async () => intent("requires_action", "wechat_pay_display_qr_code"));
  await expect(closed.answer).rejects.toMatchObject({ code: "stripe_unconfirmed" });
});

test.each([
  [
    { type: "card_error", code: "card_declined", decline_code: "insufficient_funds" },
    "card_refused.insufficient_funds",
  ],
  [{ type: "card_error", code: "expired_card" }, "card_refused.expired_card"],
  [{ type: "card_error", code: "card_declined", decline_code: "stolen_card" }, "card_refused.stolen_card"],
  [{ type: "invalid_request_error", code: "payment_intent_authentication_failure" }, "stripe_unconfirmed"],
  [{ type: "validation_error" }, "stripe_incomplete"],
  [{ type: "api_connection_error" }, "stripe_unreachable"],
  [{ type: "invalid_request_error", code: "resource_missing" }, "card_refused."],
])("Stripe's refusal has our code: %j", async (error, code) => {
  await expect(handOver(async () => ({ error })).answer).rejects.toMatchObject({ code });
});

// The answer to the first press was lost; the second one learns that the money is on its way.
test("a payment made already is waited for, not made again", async () => {
  const error = {
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    payment_intent: { status: "succeeded" },
  };
  await expect(handOver(async () => ({ error })).answer).resolves.toBeNull();
});

test("a script that breaks off counts as a lost connection", async () => {
  const { answer } = handOver(() => Promise.reject(new Error("network")));
  await expect(answer).rejects.toMatchObject({ code: "stripe_unreachable" });
});

test("elements leave the page with the form", () => {
  const { fake, mounted } = handOver(async () => intent("succeeded"));
  expect([...fake.mounted].sort()).toEqual(["expressCheckout", "payment"]);
  mounted.leave();
  expect(fake.mounted.size).toBe(0);
});

test("a refusal tells nothing of fraud", () => {
  expect(troubleText("card_refused.stolen_card").text).toBe(declineText("generic"));
  expect(troubleText("card_refused.expired_card")).toEqual({ kind: "error", text: "payment.decline_expired_card" });
  expect(troubleText("unreachable")).toEqual({ kind: "warning", text: "payment.network" });
});

test("what Stripe adds to the address is taken out again", () => {
  const added = "payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded";
  expect(hasReturned(`/payments/t-1?${added}`)).toBe(true);
  expect(withoutRedirect(`/payments/t-1?${added}`)).toBe("/payments/t-1");
  expect(withoutRedirect(`/payments/t-1?lang=zh&${added}`)).toBe("/payments/t-1?lang=zh");
  expect(withoutRedirect("/payments/t-1?lang=zh")).toBe("/payments/t-1?lang=zh");
  expect(hasReturned("/payments/t-1")).toBe(false);
  expect(hasReturned("/payments/t-1?payment_intent_client_secret=s&redirect_status=failed")).toBe(false);
});
