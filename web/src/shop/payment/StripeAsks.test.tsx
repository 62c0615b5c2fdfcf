import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import { loadAreas } from "../../i18n/catalogue.ts";
import { fakeStripe } from "../../testing/fakeStripe.ts";
import { StripeAsks } from "./StripeAsks.tsx";

beforeAll(() => loadAreas("en", ["payment", "ui"]));

const asks = (type: string) => ({ paymentIntent: { status: "requires_action", next_action: { type } } });

/** A page loaded again while Stripe says this of the intent. */
function show(found: unknown, answer: () => Promise<unknown> = async () => ({})) {
  const { stripe } = fakeStripe();
  const handleNextAction = vi.fn(answer);
  Object.assign(stripe, { retrievePaymentIntent: async () => found, handleNextAction });
  const load = async () => stripe;
  render(
    <StripeAsks token="t-1" publishableKey="pk" clientSecret="pi_1_secret_2" waiting={<p>waits</p>} load={load} />,
  );
  return handleNextAction;
}

const button = () => screen.findByRole("button", { name: "Confirm with your bank" });

test("the bank's question is offered again", async () => {
  const handleNextAction = show(asks("use_stripe_sdk"), async () => ({ paymentIntent: { status: "succeeded" } }));
  fireEvent.click(await button());
  await screen.findByText("waits");
  expect(handleNextAction).toHaveBeenCalledWith({ clientSecret: "pi_1_secret_2" });
});

test("a closed bank window can be opened again", async () => {
  const handleNextAction = show(asks("use_stripe_sdk"), async () => asks("use_stripe_sdk"));
  fireEvent.click(await button());
  await waitFor(() => expect(handleNextAction).toHaveBeenCalledOnce());
  await waitFor(async () => expect((await button()).getAttribute("aria-busy")).not.toBe("true"));
});

test.each([
  ["a voucher", asks("multibanco_display_details")],
  ["a payment on its way", { paymentIntent: { status: "processing" } }],
])("%s asks nothing", async (_what, found) => {
  show(found);
  await act(async () => undefined);
  expect(screen.getByText("waits")).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
