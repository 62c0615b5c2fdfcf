import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Payment, PaymentStatus } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import { onOwnClock } from "../../ownTime.ts";
import { PageContext } from "../../pageContext.ts";
import type { Answers } from "../../testing/answers.ts";
import { inEnglish } from "../../testing/english.ts";
import { outerState, screensOf } from "../../testing/machineScreens.ts";
import { samplePage } from "../../testing/samplePage.ts";
import { payment } from "../../testing/samplePayment.ts";
import {
  beginWalk,
  claimed,
  expectAllWalked,
  focused,
  isAt,
  isHeadline,
  press,
  Stream,
  showDialog,
} from "../../testing/screenWalk.tsx";
import { PaymentScreen } from "./PaymentScreen.tsx";
import PaymentTokenPage from "./PaymentTokenPage.tsx";
import { PAYMENT_STATUSES, paymentMachine } from "./paymentMachine.ts";
import { paymentShown } from "./paymentScreens.ts";

/** The headline while the server cannot be reached. */
const unreachable = new RegExp(inEnglish("payment.unreachable_title"));

vi.mock("../../ui/arrival.ts", async (original) =>
  (await import("../../testing/arrivals.ts")).recordArrivals(await original()),
);

beforeAll(() => loadAreas("en", ["payment", "rating", "stay", "change", "lead", "booking", "ui", "shell"]));

let server: Answers;

beforeEach(() => {
  server = beginWalk();
});

function showPayment(first: Payment | "missing" | "cut_off"): void {
  const read =
    first === "missing"
      ? { status: 404, code: "not_found" }
      : first === "cut_off"
        ? ("offline" as const)
        : { status: 200, data: first };
  server.set("GET /api/v0/payments/t-1", read).set("GET /api/v0/payments/t-1/", { status: 404 });
  const page = samplePage("payment_token", "/payments/t-1", { token: "t-1" });
  history.replaceState(null, "", "/payments/t-1");
  render(
    <PageContext.Provider value={page}>
      <PaymentTokenPage page={page} />
    </PageContext.Provider>,
  );
}

const stripe = { kind: "stripe", client_secret: null, publishable_key: null } as const;
const link = { due_on: null, note: "", kind: "rent" } as never;

const outcomes: readonly [string, PaymentStatus, Partial<Payment>, RegExp][] = [
  ["paid", "success", {}, /The room is yours/],
  ["ended", "success", { booking: "ended" }, /./],
  ["link_paid", "success", { link }, /./],
  ["pending", "pending", {}, /./],
  ["gone", "sold_out", { sold_out_reason: "no_room" }, /./],
  ["link_gone", "sold_out", { link }, /./],
  ["form_paying", "processing", {}, /./],
  ["asked_by_bank", "processing", { gateway: stripe }, /Confirming your payment/],
  ["form_declined", "failed", { decline: { code: "do_not_honor" } as never }, /./],
  ["stuck", "init_failure", {}, /./],
  ["over", "initiated", { cancelled_at: "2026-11-20T14:31:00Z" }, /./],
];

test.each(outcomes)("payment: %s has the focus", async (_, status, more, title) => {
  const opened = status === "failed" ? "processing" : "initiated";
  showPayment(payment(opened, 3, more.gateway ? { gateway: more.gateway } : {}));
  await waitFor(() => expect(document.querySelector(`[data-payment=${opened}]`)).toBeTruthy());
  const before = document.querySelector("h1")?.textContent;
  Stream.open?.say(payment(status, 5, more));
  await waitFor(() => expect(document.querySelector("main:not([aria-busy]) h1, h1[role=status]")).toBeTruthy());
  await isHeadline(title);
  if (opened === "initiated") expect(focused()?.textContent).not.toBe(before);
});

test.each(["missing", "cut_off"] as const)("payment: %s has the focus", async (how) => {
  showPayment(how);
  await isHeadline(/./);
});

test("payment: a turn is one headline and one button", async () => {
  const place = {
    ...{ number: 1, state: "offered", position: 812, joined_at: "2026-11-20T14:31:00Z", token: "7b22" },
    ...{ offered_until: "2026-11-28T10:00:00Z", kept_until: "Saturday 28 November, 10:00 (London time)" },
  };
  const order = [{ ...place, is_own: true, is_override: false }];
  showPayment(payment("sold_out", 3, { sold_out_reason: "no_room", room_now: "held", lead_uuid: null }));
  server.set("GET /api/v0/payments/t-1/waitlist", {
    status: 200,
    data: { can_join: false, waiting: 1, holds_end: [], place, order },
  });
  const title = inEnglish("stay.turn_title", { room: "Ensuite Room", home: "Bloomsbury Row" });
  await screen.findByText(title, { selector: "h1" });
  expect(document.querySelectorAll("main .btn-primary")).toHaveLength(1);
  screen.getByText(/Saturday 28 November, 10:00 \(London time\)/);
  const [main, proof] = ["main", "main details"].map((part) => document.querySelector(part)?.textContent ?? "");
  expect(main?.replace(proof ?? "", "")).not.toMatch(/log|token|812/i);
  server.set("POST /api/v0/payments/t-1/waitlist/take", { status: 201, data: { token: "t-2" } });
  press(inEnglish("stay.wait_take"));
  await waitFor(() => expect(server.asked).toContain("POST /api/v0/payments/t-1/waitlist/take"));
});

test("payment: a turn taken elsewhere names no rival", async () => {
  const place = {
    ...{ number: null, state: "taken", position: 812, joined_at: "2026-11-20T14:31:00Z", token: "7b22" },
    ...{ offered_until: null, kept_until: null },
  };
  const order = [{ ...place, is_own: true, is_override: false }];
  showPayment(payment("sold_out", 3, { sold_out_reason: "no_room", room_now: "held", lead_uuid: null }));
  server.set("GET /api/v0/payments/t-1/waitlist", {
    status: 200,
    data: { can_join: true, waiting: 0, holds_end: ["2026-11-28T10:00:00Z"], place, order },
  });
  const title = inEnglish("stay.taken_title", { room: "Ensuite Room", home: "Bloomsbury Row" });
  await screen.findByText(title, { selector: "h1" });
  expect(document.querySelectorAll("main .btn-primary")).toHaveLength(1);
  expect(document.querySelector("main")?.textContent).not.toMatch(/someone else|join the waitlist/i);
});

test("payment: a hold that ends on another day names the day", async () => {
  const held_until = new Date(Date.now() + 49 * 3_600_000).toISOString();
  showPayment(payment("sold_out", 3, { sold_out_reason: "no_room", room_now: "held", held_until, lead_uuid: null }));
  const year = new Date(onOwnClock(held_until)).getFullYear();
  await screen.findByText(new RegExp(`not paid by .* ${year}, \\d\\d:\\d\\d, it is free again`));
});

test("payment: a second home is asked about first", async () => {
  server.set("POST /api/v0/payments", { status: 409, code: "booked_already" });
  const page = samplePage("payment", "/places/bloomsbury-row-1/payment", {});
  const opening = { token: null, lead_uuid: "u-1", inventory_id: "room-1", form_uuid: null };
  render(
    <PageContext.Provider value={page}>
      <PaymentScreen opening={opening} />
    </PageContext.Provider>,
  );
  await isHeadline(/second home/);
  server.set("POST /api/v0/payments", { status: 200, data: payment("initiated", 3) });
  press(/Book this home too/);
  await waitFor(() => expect(document.querySelector("[data-payment=initiated]")).toBeTruthy());
});

test("payment: a second home is asked about where it begins too", async () => {
  server.set("POST /api/v0/payments", { status: 200, data: payment("init", 1) });
  server.set("POST /api/v0/payments/t-1/intent", { status: 409, code: "booked_already" });
  showPayment(payment("init", 1));
  await isHeadline(/second home/);
  server.set("POST /api/v0/payments/t-1/intent", { status: 200, data: payment("initiated", 3) });
  press(/Book this home too/);
  await waitFor(() => expect(document.querySelector("[data-payment=initiated]")).toBeTruthy());
});

test("payment: what a lost or refused press leaves has the focus", async () => {
  showPayment(payment("initiated", 3));
  await screen.findByText(/Test cards|test cards/i).catch(() => undefined);
  await waitFor(() => expect(document.querySelector("[data-card]")).toBeTruthy());
  const pay = () => {
    fireEvent.click(document.querySelector("[data-card]") ?? document.body);
    fireEvent.submit(document.querySelector("form.pay-form") ?? document.body);
  };
  server.set("POST /api/v0/payments/t-1/sandbox_confirm", { status: 503, code: "busy" });
  pay();
  await isAt("[data-arrival]");
  server.set("POST /api/v0/payments/t-1/sandbox_confirm", "offline").set("GET /api/v0/payments/t-1", "offline");
  pay();
  await isHeadline(unreachable);
});
test("payment: one of an account asks for its login, in focus", async () => {
  server.set("POST /api/v0/payments", claimed);
  const opening = { token: null, lead_uuid: "u-1", inventory_id: "room-1", form_uuid: null };
  showDialog(<PaymentScreen opening={opening} />);
  await isAt("[data-claimed]");
});

test("payment: the form that comes at last has the focus", async () => {
  showPayment(payment("init_failure", 3));
  await isHeadline(/./);
  server.set("POST /api/v0/payments/t-1/intent", { status: 200, data: payment("initiated", 5) });
  press(/Try again/);
  await waitFor(() => expect(document.querySelector("[data-payment=initiated]")).toBeTruthy());
  await isHeadline(/./);
});

test("payment: another try in vain has the focus again", async () => {
  showPayment("cut_off");
  await isHeadline(unreachable);
  press(/Try again/);
  expect(document.querySelector("main h1")?.textContent).not.toMatch(unreachable);
  await isHeadline(unreachable);
});

test("payment: a page that opens late says nothing of a lost press", async () => {
  showPayment("cut_off");
  await isHeadline(unreachable);
  server.set("GET /api/v0/payments/t-1", { status: 200, data: payment("initiated", 3) });
  press(/Try again/);
  await waitFor(() => expect(document.querySelector("[data-card]")).toBeTruthy());
  await isHeadline(/./);
  expect(document.body.textContent).not.toMatch(/lost the connection/);
});

/** The values that decide which screen a state is shown by. */
const variants = (value: unknown) => {
  const status = PAYMENT_STATUSES.find((one) => one === outerState(value));
  const facts = [
    {},
    { link },
    { booking: "ended" as const },
    { cancelled_at: "2026-11-20T14:31:00Z" },
    { gateway: stripe },
  ];
  const payments =
    status === undefined ? [null, payment("initiated", 3)] : facts.map((more) => payment(status, 3, more));
  const troubles = [null, "busy", "booked_already", "log_in_first"].map((code) => code && { code, message: code });
  const cards = [null, "in_form"];
  return payments.flatMap((one) =>
    troubles.flatMap((trouble) => cards.map((card) => ({ payment: one, trouble, card }))),
  );
};

test("every screen of the payment was walked to", () => {
  const screens = screensOf(paymentMachine, variants, (snapshot) => paymentShown(snapshot, false));
  expectAllWalked("payment", screens);
  expect(screens.length).toBeGreaterThan(15);
});
