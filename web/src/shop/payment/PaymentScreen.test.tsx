import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import payments from "../../../../i18n/en/payment.json";
import type { Payment } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import { PageContext } from "../../pageContext.ts";
import { type Answers, fakeStripe } from "../../testing/fakeStripe.ts";
import { samplePage } from "../../testing/samplePage.ts";
import { payment } from "../../testing/samplePayment.ts";
import PaymentTokenPage from "./PaymentTokenPage.tsx";

const asking = { kind: "stripe", client_secret: "pi_1_secret_2", publishable_key: "pk_live_1" } as const;
const asked = { ...asking, client_secret: null };
const initiated = (version: number) => payment("initiated", version, { gateway: asking });

beforeAll(() => loadAreas("en", ["payment", "ui", "shell"]));
beforeEach(() => history.replaceState(null, "", "/payments/t-1"));

const page = samplePage("payment_token", "/payments/t-1", { token: "t-1" });

/** A stream that says what the test lets the server say. */
class Stream {
  static open: Stream | null = null;
  private tell: (event: { data: string }) => void = () => undefined;

  constructor() {
    Stream.open = this;
  }

  addEventListener(event: string, tell: (event: { data: string }) => void): void {
    if (event === "payment") this.tell = tell;
  }

  say(next: Payment): void {
    act(() => this.tell({ data: JSON.stringify(next) }));
  }

  close(): void {}
}

/** Stripe's package keeps the script that it found first. */
const script = { stripe: fakeStripe().stripe };
const openAccount = () => script.stripe;

/** The screen of a payment between a server and Stripe's script, both at the edge of the page. */
function show(first: Payment, answers: Answers = {}, url = page.url) {
  const fake = fakeStripe(answers);
  const server = { payment: first, asked: [] as string[] };
  vi.stubGlobal("EventSource", Stream);
  script.stripe = fake.stripe;
  vi.stubGlobal("Stripe", openAccount);
  vi.stubGlobal("fetch", async (url: string, options?: RequestInit) => {
    server.asked.push(`${options?.method ?? "GET"} ${url.split("?")[0]}`);
    return Response.json({ message: "success", data: server.payment });
  });
  render(
    <PageContext.Provider value={page}>
      <PaymentTokenPage page={{ ...page, url }} />
    </PageContext.Provider>,
  );
  const tell = (next: Payment) => {
    server.payment = next;
    Stream.open?.say(next);
  };
  const ready = async () => {
    await waitFor(() => expect(fake.mounted.has("payment")).toBe(true));
    act(() => fake.tell("payment.ready"));
  };
  const press = () => fireEvent.submit(document.querySelector("form") ?? document.body);
  return { fake, server, tell, ready, press };
}

const ONCE = payments["payment.once_note"];
const AGAIN = payments["payment.again_note"];
const withAmount = (key: "payment.part_back", amount: string) =>
  new RegExp(payments[key].replace("{amount}", amount.replace(".", "\\.")));
const heading = (title: string) => screen.findByText(title, { selector: "h1" });

test("a card through Stripe is paid once the server says so", async () => {
  const { fake, server, ready, press, tell } = show(initiated(3), {
    confirm: async () => ({ paymentIntent: { status: "succeeded" } }),
  });
  await ready();
  expect(screen.getByRole("button", { name: /Pay £259\.07/ })).toBeTruthy();
  expect(screen.queryByText("Card number")).toBeNull();
  press();
  await heading("Confirming your payment");
  expect(fake.confirmed).toHaveLength(1);
  tell(payment("success", 5, { gateway: asked }));
  await heading("The room is yours");
  expect(server.asked.filter((request) => request.includes("/payments/"))).toEqual(["GET /api/v0/payments/t-1"]);
});

test("a wallet's press reaches Stripe inside its event", async () => {
  const { fake, ready } = show(initiated(3));
  await ready();
  act(() => {
    fake.tell("expressCheckout.confirm", { paymentFailed: () => undefined });
    expect(fake.confirmed).toHaveLength(1);
  });
});

test("a card that Stripe refuses leaves its form for the next one", async () => {
  const declined = { type: "card_error", code: "card_declined", decline_code: "insufficient_funds" };
  const { fake, ready, press } = show(initiated(3), { confirm: async () => ({ error: declined }) });
  await ready();
  press();
  expect((await screen.findByRole("alert")).textContent).toContain("not enough money");
  expect(screen.getByText(AGAIN)).toBeTruthy();
  expect(screen.queryByText(ONCE)).toBeNull();
  expect(fake.mounted.has("payment")).toBe(true);
  press();
  await waitFor(() => expect(fake.confirmed).toHaveLength(2));
});

test("a connection lost to Stripe says that Pay is safe to press", async () => {
  const { ready, press } = show(initiated(3), { confirm: () => Promise.reject(new Error("network")) });
  await ready();
  press();
  expect(await screen.findByText(payments["payment.stripe_unreachable"])).toBeTruthy();
});

test("a method that settles later is pending at the server's word", async () => {
  const { ready, press, tell } = show(initiated(3), {
    confirm: async () => ({ paymentIntent: { status: "processing" } }),
  });
  await ready();
  press();
  await heading("Confirming your payment");
  tell(payment("pending", 5, { gateway: asked }));
  await heading("Your bank is still confirming");
});

test("a decline that the server tells is retried in one press", async () => {
  const { fake, server, ready, press, tell } = show(initiated(3));
  await ready();
  expect(screen.getByText(ONCE)).toBeTruthy();
  expect(screen.queryByText(AGAIN)).toBeNull();
  const decline = { code: "do_not_honor", message: "" } as const;
  tell(payment("failed", 6, { gateway: asking, decline }));
  await heading("The payment did not go through");
  expect(screen.getByText(AGAIN)).toBeTruthy();
  expect(screen.queryByText(ONCE)).toBeNull();
  server.payment = initiated(9);
  press();
  await waitFor(() => expect(fake.confirmed).toHaveLength(1));
  expect(server.asked).toContain("POST /api/v0/payments/t-1/intent");
});

test("a decline met after a reload takes the next card at once", async () => {
  const decline = { code: "do_not_honor", message: "" } as const;
  const { fake, server, ready, press } = show(payment("failed", 6, { gateway: asking, decline }));
  await heading("The payment did not go through");
  expect((await screen.findByRole("alert")).textContent).toContain("did not approve");
  await ready();
  server.payment = initiated(9);
  press();
  await waitFor(() => expect(fake.confirmed).toHaveLength(1));
  expect(server.asked).toContain("POST /api/v0/payments/t-1/intent");
});

/** Cancelled in Stripe's dashboard: the server names no secret any more, and the form of before cannot be paid with. */
test.each([
  ["before the form is ready", false],
  ["while the form is open", true],
])("an intent cancelled %s is replaced by a new form", async (_when, isReady) => {
  const { fake, server, ready, tell } = show(initiated(3));
  await (isReady ? ready() : waitFor(() => expect(fake.mounted.has("payment")).toBe(true)));
  tell(payment("failed", 6, { gateway: asked, decline: { code: "other", message: "" } }));
  await heading("The payment did not go through");
  expect(fake.mounted.has("payment")).toBe(false);
  server.payment = payment("initiated", 9, { gateway: { ...asking, client_secret: "pi_2_secret_3" } });
  fireEvent.click(screen.getByRole("button", { name: payments["payment.closed_open"] }));
  await ready();
  expect(server.asked).toContain("POST /api/v0/payments/t-1/intent");
  expect(fake.confirmed).toHaveLength(0);
  await screen.findByText(ONCE);
});

/** The form says it first; what the server hears a moment later changes neither the sentence nor the form. */
test("a refusal of the form stands when the server hears of it", async () => {
  const declined = { type: "card_error", code: "card_declined", decline_code: "insufficient_funds" };
  const { fake, server, ready, press, tell } = show(initiated(3), { confirm: async () => ({ error: declined }) });
  await ready();
  press();
  await screen.findByText(/not enough money/);
  const form = document.querySelector(".pay-form");
  const focused = document.activeElement;
  tell(payment("failed", 6, { gateway: asking, decline: { code: "insufficient_funds", message: "" } }));
  await heading("The payment did not go through");
  expect(screen.getByText(/not enough money/)).toBeTruthy();
  expect(document.activeElement).toBe(focused);
  expect(document.querySelector(".pay-form")).toBe(form);
  expect(fake.mounted.has("payment")).toBe(true);
  server.payment = initiated(9);
  press();
  await waitFor(() => expect(fake.confirmed).toHaveLength(2));
  expect(server.asked).toContain("POST /api/v0/payments/t-1/intent");
});

test("a payer back from the bank's page waits for the server", async () => {
  const added = "payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded";
  const { fake, tell } = show(initiated(3), {}, `/payments/t-1?${added}`);
  await heading("Confirming your payment");
  expect(fake.mounted.size).toBe(0);
  tell(payment("success", 5, { gateway: asked }));
  await heading("The room is yours");
});

test("a bank's question survives a reload of the page", async () => {
  const next_action = { type: "three_d_secure", url: "https://hooks.stripe.com/3ds" } as const;
  show(payment("processing", 4, { gateway: asked, next_action }));
  const link = await screen.findByRole("link", { name: payments["payment.bank_asks_go"] });
  expect(link.getAttribute("href")).toBe("https://hooks.stripe.com/3ds");
});

test("an ended booking is told with what went back", async () => {
  show(payment("success", 7, { booking: "ended", refunded_minor: 1_000 }));
  await heading("This booking has ended");
  expect(screen.getByText(withAmount("payment.part_back", "£10.00"))).toBeTruthy();
  expect(screen.queryByText("Add move-in to calendar")).toBeNull();
});

test("an ended booking is told with what the bank has", async () => {
  const bank_has = "Your bank has £259.07.";
  show(payment("success", 7, { booking: "ended", disputed_minor: 25_907, bank_has }));
  await heading("This booking has ended");
  expect(screen.getByText(/Your bank has £259\.07\./)).toBeTruthy();
});

test("a payment that a bank disputes says so", async () => {
  const bank_has = "Your bank holds £259.07.";
  show(payment("success", 7, { booking: "booked", disputed_minor: 25_907, bank_has }));
  await heading("The room is yours");
  expect(screen.getByText(bank_has)).toBeTruthy();
});

test("a booking kept through a full refund is still booked", async () => {
  show(payment("success", 7, { booking: "booked", refunded_minor: 25_907 }));
  await heading("The room is yours");
  expect(screen.getByText(withAmount("payment.part_back", "£259.07"))).toBeTruthy();
});

test("a replaced payment shows no form and leads to the next", async () => {
  const cancelled_at = "2026-11-20T10:00:00Z";
  const { fake } = show(payment("initiated", 7, { gateway: asking, cancelled_at, withdrawn_by: "replacement" }));
  await heading("This payment was replaced");
  expect(fake.mounted.size).toBe(0);
  expect(screen.getByRole("link", { name: payments["payment.over_to_new"] }).getAttribute("href")).toContain("lead-1");
});

test("an expired payment offers its payer no second try", async () => {
  const expires_at = "2026-01-01T00:00:00Z";
  show(payment("init_failure", 7, { lead_uuid: null, expires_at }));
  await heading("This payment has expired");
  expect(screen.queryByText("Try again")).toBeNull();
  expect(screen.getByText(/Ask the person who sent you this link/)).toBeTruthy();
});

test("a document of another page is left for the payment's own", async () => {
  const replace = vi.spyOn(location, "replace").mockImplementation(() => undefined);
  const payload = document.createElement("script");
  payload.id = "page-payload";
  payload.type = "application/json";
  payload.textContent = JSON.stringify({ route: "profile" });
  document.body.append(payload);
  const { fake } = show(initiated(3));
  await waitFor(() => expect(replace).toHaveBeenCalledWith("/payments/t-1"));
  expect(fake.mounted.size).toBe(0);
  payload.remove();
});
