import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import { loadAreas } from "../../i18n/catalogue.ts";
import { type Answers, fakeStripe } from "../../testing/fakeStripe.ts";
import type { HandOver } from "./paymentMachine.ts";
import { StripeForm } from "./StripeForm.tsx";
import type { LoadStripe } from "./stripeElements.ts";

beforeAll(() => loadAreas("en", ["payment", "ui"]));

const asked = { token: "t-1", version: 3, challenge: null };

/** The form on screen, before a fake of Stripe's script. */
function show(answers: Answers & { load?: (tries: number) => Promise<void> } = {}) {
  const fake = fakeStripe(answers);
  const pressed: HandOver[] = [];
  let tries = 0;
  const load: LoadStripe = async () => {
    await answers.load?.(++tries);
    return fake.stripe;
  };
  render(
    <StripeForm
      formId="f"
      publishableKey="pk_test_1"
      clientSecret="pi_1_secret_2"
      returnUrl="https://homes.example/payments/t-1"
      locked={false}
      notice={null}
      act={
        <button type="submit" form="f">
          Pay £259.07
        </button>
      }
      onPay={(handOver) => pressed.push(handOver)}
      load={load}
    />,
  );
  const ready = async () => {
    await waitFor(() => expect(fake.mounted.has("payment")).toBe(true));
    act(() => fake.tell("payment.ready"));
  };
  const press = () => {
    const form = document.querySelector("form");
    if (form) fireEvent.submit(form);
  };
  return { fake, pressed, ready, press };
}

test("Pay comes with the fields, and hands over once", async () => {
  const { pressed, ready, press, fake } = show({ confirm: async () => ({ paymentIntent: { status: "succeeded" } }) });
  expect(screen.getByRole("status").textContent).toBe("Loading the payment form");
  expect(screen.queryByText("Pay £259.07")).toBeNull();
  await ready();
  expect(screen.getByText("Pay £259.07")).toBeTruthy();
  press();
  press();
  await waitFor(() => expect(pressed).toHaveLength(1));
  expect(fake.confirmed).toHaveLength(0);
  await expect(pressed[0]?.(asked)).resolves.toBeNull();
  expect(fake.confirmed).toHaveLength(1);
});

test("missing fields are said, and nothing is handed over", async () => {
  let complete = false;
  const { pressed, ready, press } = show({ isComplete: () => complete });
  await ready();
  press();
  expect((await screen.findByRole("alert")).textContent).toContain("Check the fields marked below");
  expect(pressed).toHaveLength(0);
  complete = true;
  press();
  await waitFor(() => expect(pressed).toHaveLength(1));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a script that does not load can be loaded again", async () => {
  const blocked = (tries: number) => (tries === 1 ? Promise.reject(new Error("blocked")) : Promise.resolve());
  const { ready, fake } = show({ load: blocked });
  expect((await screen.findByRole("alert")).textContent).toContain("did not load");
  fireEvent.click(screen.getByText("Try again"));
  await ready();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(fake.mounted.has("expressCheckout")).toBe(true);
});

test("fields that do not load say so", async () => {
  const { fake } = show();
  await waitFor(() => expect(fake.mounted.has("payment")).toBe(true));
  act(() => fake.tell("payment.loaderror"));
  expect(screen.getByRole("alert").textContent).toContain("did not load");
});

test("a network that swallows everything is noticed", () => {
  vi.useFakeTimers();
  show({ load: () => new Promise(() => undefined) });
  act(() => void vi.advanceTimersByTime(20_000));
  expect(screen.getByRole("alert").textContent).toContain("did not load");
});

test("a wallet hands over and hears of a refusal", async () => {
  const error = { type: "card_error", code: "card_declined", decline_code: "do_not_honor" };
  const { fake, pressed, ready } = show({ confirm: async () => ({ error }) });
  await ready();
  const paymentFailed = vi.fn();
  fake.tell("expressCheckout.confirm", { paymentFailed });
  await expect(pressed[0]?.(asked)).rejects.toMatchObject({ code: "card_refused.do_not_honor" });
  expect(paymentFailed).toHaveBeenCalledOnce();
});
