import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Payment, PaymentStatus } from "../contract/wire.ts";
import { loadAreas } from "../i18n/catalogue.ts";
import { PageContext } from "../pageContext.ts";
import { Answers } from "../testing/answers.ts";
import { noteArrival, withoutArrival } from "../testing/arrivals.ts";
import { outerState, screensOf } from "../testing/machineScreens.ts";
import { sampleLead } from "../testing/sampleLead.ts";
import { samplePage } from "../testing/samplePage.ts";
import { payment } from "../testing/samplePayment.ts";
import BookingFormPage from "./booking/BookingFormPage.tsx";
import { bookingMachine } from "./booking/bookingMachine.ts";
import { bookingShown } from "./booking/bookingScreens.ts";
import LeadModal from "./lead/LeadModal.tsx";
import { leadFormMachine } from "./lead/leadFormMachine.ts";
import { leadShown } from "./lead/leadScreens.ts";
import LoginModal from "./login/LoginModal.tsx";
import { loginMachine } from "./login/loginMachine.ts";
import { loginShown } from "./login/loginScreens.ts";
import { PaymentScreen } from "./payment/PaymentScreen.tsx";
import PaymentTokenPage from "./payment/PaymentTokenPage.tsx";
import { PAYMENT_STATUSES, paymentMachine } from "./payment/paymentMachine.ts";
import { paymentShown } from "./payment/paymentScreens.ts";
import type { LeadInventory } from "./ui/overlays.ts";

vi.mock("../ui/arrival.ts", async (original) =>
  (await import("../testing/arrivals.ts")).recordArrivals(await original()),
);

/** In each state of a machine the headline of its screen has the focus (or the one field that it asks for). */

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

beforeAll(() =>
  loadAreas("en", ["payment", "rating", "stay", "change", "lead", "login", "booking", "form_sync", "ui", "shell"]),
);

let server: Answers;

beforeEach(() => {
  server = new Answers();
  vi.stubGlobal("EventSource", Stream);
  Element.prototype.scrollIntoView ??= () => undefined;
});

const focused = () => document.activeElement;

async function isHeadline(text: RegExp): Promise<void> {
  await waitFor(() => {
    expect(focused()?.textContent).toMatch(text);
    expect(focused()?.tagName).toMatch(/^H[12]$/);
  });
  noteArrival();
}

/** A sentence, or a field, that was marked for it. */
async function isAt(selector: string): Promise<void> {
  await waitFor(() => expect(focused()?.matches(selector)).toBe(true));
  noteArrival();
}

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
  await screen.findByText(/It’s your turn: Ensuite Room at Bloomsbury Row/, { selector: "h1" });
  expect(document.querySelectorAll("main .btn-primary")).toHaveLength(1);
  screen.getByText(/Take it by Saturday 28 November, 10:00 \(London time\)/);
  const proof = document.querySelector("main details");
  const said = (document.querySelector("main")?.textContent ?? "").replace(proof?.textContent ?? "", "");
  expect(said).not.toMatch(/log|token|812/i);
  server.set("POST /api/v0/payments/t-1/waitlist/take", { status: 201, data: { token: "t-2" } });
  press(/Take the room/);
  await waitFor(() => expect(server.asked).toContain("POST /api/v0/payments/t-1/waitlist/take"));
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
  await isHeadline(/reach/);
});

const home: LeadInventory = {
  id: "home-1",
  name: "Bloomsbury Row",
  canonical_name: "bloomsbury-row-1",
  available: true,
  bookable: true,
  flow: "book",
  region: { id: "r-1", name: "London", canonical_name: "london", country_key: "uk" },
  image: null,
  price: null,
  room_inventory_id: null,
  configuration: null,
  move_in_date: null,
  lease_duration: null,
};

function showDialog(dialog: React.ReactNode): void {
  render(<PageContext.Provider value={samplePage("legal", "/terms", {})}>{dialog}</PageContext.Provider>);
}

const submit = () => fireEvent.submit(document.querySelector("dialog form") ?? document.body);
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name, hidden: true }));
const type = (selector: string, value: string) =>
  fireEvent.change(document.querySelector(selector) ?? document.body, { target: { value } });

test("enquiry: each step has the focus", async () => {
  showDialog(<LeadModal inventory={home} variant="enquire" onClose={() => undefined} />);
  type("[name=name]", "Marta Ruiz");
  type("[name=email]", "marta@uni.example");
  type("#lead-phone", "7700900214");
  const refused = { status: 422, errors: [{ field: "user_details/email", code: "invalid", message: "Not taken" }] };
  server.set("POST /api/v0/leads", refused);
  submit();
  await isAt("[name=email]");
  server.set("POST /api/v0/leads", { status: 500 });
  submit();
  await isAt("[role=alert]");
  press("Change details");
  await isHeadline(/./);
  server.set("POST /api/v0/leads", { status: 200, data: sampleLead });
  submit();
  await isHeadline(/./);
  expect(document.querySelector("[data-enquiry=continuation]")).toBeTruthy();
  type("#lead-university", "Leeds");
  server.set("PUT /api/v0/leads", { status: 500 });
  submit();
  await isAt("[role=alert]");
  server.set("PUT /api/v0/leads", { status: 200, data: sampleLead });
  submit();
  await isHeadline(/./);
  expect(document.querySelector("[data-enquiry=confirmation]")).toBeTruthy();
  server.set("POST /api/v0/leads/virtual_tour_request", { status: 500 });
  fireEvent.click(document.querySelector(".slots button") ?? document.body);
  fireEvent.click(document.querySelector(".part-line .btn-tint") ?? document.body);
  await isAt("[data-arrival][role=alert]");
  server.set("POST /api/v0/leads/virtual_tour_request", { status: 200, data: sampleLead });
  fireEvent.click(document.querySelector(".part-line .btn-tint") ?? document.body);
  await isAt("[data-arrival][role=status]");
});

test("enquiry: Book ends at the form and asks for the room once", async () => {
  const rooms = [{ name: "Studio", from: price as never }];
  const chosen = { ...home, rooms, room_inventory_id: "room-1", move_in_date: "2027-09-11" };
  showDialog(<LeadModal inventory={chosen} variant="book_now" onClose={() => undefined} />);
  expect(document.querySelector(".dialog-foot .link")).toBeNull();
  type("[name=name]", "Marta Ruiz");
  type("[name=email]", "marta@uni.example");
  type("#lead-phone", "7700900214");
  server.set("POST /api/v0/leads", { status: 200, data: sampleLead });
  submit();
  await waitFor(() => expect(document.querySelector("[data-enquiry=continuation]")).toBeTruthy());
  expect(screen.getByText("Step 2 of 2")).toBeTruthy();
  expect(document.querySelector("[name=lead-room]")).toBeNull();
  type("#lead-university", "Leeds");
  server.set("PUT /api/v0/leads", { status: 200, data: sampleLead });
  submit();
  const form = /_page.*bloomsbury-row-1.*form/;
  await waitFor(() => expect(server.asked.filter((request) => form.test(decodeURIComponent(request)))).not.toEqual([]));
  expect(document.body.textContent).not.toMatch(/enquiry/i);
});

test("enquiry: a tour after an enquiry is a first tour", async () => {
  localStorage.setItem("latchkey.enquired", JSON.stringify(["home-1 enquire"]));
  showDialog(<LeadModal inventory={home} variant="virtual_tour_enquiry" onClose={() => undefined} />);
  expect(document.body.textContent).toContain("Leave your details, then choose a day and a time");
  type("[name=name]", "Marta Ruiz");
  type("[name=email]", "marta@uni.example");
  type("#lead-phone", "7700900214");
  server.set("POST /api/v0/leads", { status: 200, data: { ...sampleLead, repeat: true, repeats_wish: false } });
  submit();
  await waitFor(() => expect(document.querySelector("[data-enquiry=confirmation]")).toBeTruthy());
  expect(document.body.textContent).toContain("Choose a time for your tour below");
  expect(document.body.textContent).not.toContain("new time");
});

test("enquiry: the question before leaving has the focus", async () => {
  showDialog(<LeadModal inventory={home} variant="enquire" onClose={() => undefined} />);
  type("[name=name]", "Marta Ruiz");
  press("Close");
  await isAt("[role=alertdialog] [data-arrival]");
  press("Keep writing");
  await isHeadline(/./);
});

test("login: each step and what it refuses has the focus", async () => {
  showDialog(<LoginModal next={null} onClose={() => undefined} />);
  type("[name=email]", "marta@uni.example");
  server.set("POST /api/v0/users/generate_email_otp", { status: 429, code: "too_many_codes" });
  submit();
  await isAt("[name=email]");
  const sent = { session_uuid: "s-1", resend_after_s: 30, expires_in_s: 600 };
  server.set("POST /api/v0/users/generate_email_otp", { status: 200, data: sent });
  submit();
  await isAt("#login-code");
  server.set("POST /api/v0/users/login_email_otp", { status: 422, code: "wrong_code" });
  type("#login-code", "123456");
  await screen.findByText("refused: wrong_code");
  await isAt("#login-code");
  press("Back");
  await isHeadline(/Login to/);
});

const price = { amount_minor: 28_900, currency: "GBP", symbol: "£", decimals: 2, duration: "weekly" };
const stay = { inventory_id: "room-1", lease_duration: 44, lease_duration_unit: "weeks", move_in_date: "2027-09-11" };
const image = { path: "/a.svg", caption: "" };
const room = {
  ...{ id: "type-1", name: "Ensuite Room", configuration: null, area_sqm: null, available: true, facts: [] },
  ...{ from: price, image, meta_types: {}, rooms_left: 3 },
  // The stay that is let first is another one than the form's.
  options: [
    { ...stay, lease_duration: 12, move_in_date: "2026-12-06", price, rooms_left: 3 },
    { ...stay, price, rooms_left: 0 },
  ],
};
const section = (key: string, step: number, last = false) => ({
  ...{ key, hidden: false, step, last, after_payment: false },
  fields: [
    { key: key === "personal_form" ? "city" : "name", type: "text", required: false, options: [], hidden: false },
  ],
});
const form = (completed_sections: string[] = [], status = "started") => ({
  ...{ documents: [], price_lock: null, form_uuid: "f-1", lead_uuid: "u-1", inventory_id: "room-1", flow: "book" },
  ...{ status, version: 1, sections: {}, completed_sections, place: null },
  stay: { ...stay, name: "Ensuite Room", rent: price },
  form: { sections: [section("personal_form", 2), section("emergency_form", 3, true)] },
});

function showBooking(lead_uuid: string | null = null): void {
  const empty = ["bookform_source", "configuration", "email", "first_name", "inventory_id", "last_name", "lead_uuid"];
  const others = ["lease_duration", "move_in_date", "phone", "phone_code", "university"];
  const prefill = Object.fromEntries([...empty, ...others].map((name) => [name, null]));
  const property = { ...home, time_zone: null, image };
  const data = { form: form().form, payment_summary: [], prefill, processing_fee_percent: "0", property };
  const page = samplePage("booking_form", "/places/bloomsbury-row-1/form", {
    ...{ ...data, prefill: { ...prefill, lead_uuid, show_submit_confirmation: false } },
    ...{ room_types: [room], with_accommodation_card: false },
  });
  render(
    <PageContext.Provider value={page}>
      <BookingFormPage page={page} />
    </PageContext.Provider>,
  );
}

const goOn = () => fireEvent.submit(document.querySelector("main form") ?? document.body);

test("booking: each step has the focus", async () => {
  server.set("GET /api/v0/inventories", "offline");
  showBooking();
  await screen.findByRole("button", { name: /Try again/ });
  server.set("GET /api/v0/inventories", { status: 404, code: "not_found" });
  press(/Try again/);
  await isHeadline(/./);
  await waitFor(() => expect(document.querySelector("main input[type=radio]")).toBeTruthy());
  fireEvent.click(document.querySelector("main input[type=radio]") ?? document.body);
  type("main [autocomplete=name]", "Marta Ruiz");
  type("main [type=email]", "marta@uni.example");
  type("#booker-phone", "7700900214");
  server.set("POST /api/v0/leads", { status: 500 });
  goOn();
  await isAt("[data-arrival]");
  expect(server.asked.filter((request) => request.startsWith("POST"))).toEqual(["POST /api/v0/leads"]);
  server.set("POST /api/v0/leads", { status: 200, data: sampleLead });
  server.set("POST /api/v0/booking_forms", { status: 200, data: form() });
  server.set("GET /api/v0/booking_forms/f-1", { status: 200, data: form() });
  goOn();
  await waitFor(() => expect(server.asked).toContain("POST /api/v0/booking_forms"));
  await isAt("h2[data-headline]");
  const saved = (done: string[]) => ({ status: 200, data: { form: form(done), overwritten: {} } });
  server.set("PATCH /api/v0/booking_forms/f-1", { status: 500 });
  goOn();
  await isAt("[data-arrival]");
  server.set("PATCH /api/v0/booking_forms/f-1", saved(["personal_form"]));
  goOn();
  await waitFor(() => expect(document.querySelector("[aria-labelledby] h2")?.textContent).toMatch(/call/));
  await isAt("h2[data-headline]");
  server.set("PATCH /api/v0/booking_forms/f-1", saved(["personal_form", "emergency_form"]));
  server.set("POST /api/v0/booking_forms/f-1/submit", { status: 200, data: form(["personal_form"], "completed") });
  goOn();
  await isHeadline(/./);
});

test.each(["started", "completed"])("a %s form opened by its link shows the stay of its payment", async (status) => {
  server.set("GET /api/v0/inventories", { status: 404, code: "not_found" });
  server.set("GET /api/v0/leads/u-1", { status: 200, data: { ...sampleLead, uuid: "u-1", forms_present: ["form"] } });
  server.set("POST /api/v0/booking_forms", { status: 200, data: form([], status) });
  server.set("GET /api/v0/booking_forms/f-1", { status: 200, data: form([], status) });
  showBooking("u-1");
  const summary = await screen.findByText(/44 weeks/, { selector: ".room-line p" });
  expect(summary.textContent).toMatch(/11 Sept? 2027/);
  expect(document.body.textContent).not.toMatch(/12 weeks/);
});

const claimed = { status: 403, code: "log_in_first" };

test("payment: one of an account asks for its login, in focus", async () => {
  server.set("POST /api/v0/payments", claimed);
  const opening = { token: null, lead_uuid: "u-1", inventory_id: "room-1", form_uuid: null };
  showDialog(<PaymentScreen opening={opening} />);
  await isAt("[data-claimed]");
});

test("enquiry: one of an account asks for its login, in focus", async () => {
  showDialog(<LeadModal inventory={home} variant="enquire" onClose={() => undefined} />);
  type("[name=name]", "Marta Ruiz");
  type("[name=email]", "marta@uni.example");
  type("#lead-phone", "7700900214");
  server.set("POST /api/v0/leads", { status: 200, data: sampleLead });
  submit();
  await waitFor(() => expect(document.querySelector("[data-enquiry=continuation]")).toBeTruthy());
  type("#lead-university", "Leeds");
  server.set("PUT /api/v0/leads", claimed);
  submit();
  await isAt("[data-claimed]");
});

test("booking: one of an account asks for its login, in focus", async () => {
  server.set("GET /api/v0/inventories", { status: 404, code: "not_found" });
  server.set("GET /api/v0/leads/u-1", { status: 200, data: { ...sampleLead, uuid: "u-1", forms_present: ["form"] } });
  server.set("POST /api/v0/booking_forms", { status: 200, data: form() });
  server.set("GET /api/v0/booking_forms/f-1", { status: 200, data: form() });
  showBooking("u-1");
  await waitFor(() => expect(document.querySelector(".substep.now")).toBeTruthy());
  server.set("PATCH /api/v0/booking_forms/f-1", claimed);
  goOn();
  await isAt("[data-claimed]");
});

/** The values that decide which screen a state is shown by. */
const variants = {
  payment: (value: unknown) => {
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
  },
  enquiry: () => {
    const plain = { clashes: [], refusals: [], trouble: null, viewing: null, isClaimed: false };
    return [plain, { ...plain, viewing: {} }];
  },
  login: () => {
    const plain = { generationError: null, verificationError: null };
    return [plain, { generationError: {}, verificationError: {} }];
  },
  booking: () => {
    const plain = { ...Object(bookingMachine.config.context), form: form(), stayClashes: [], trouble: null };
    return [plain, { ...plain, trouble: "busy" }, { ...plain, isClaimed: true }];
  },
};

/** Screens that no test above walks to yet. Those of a beginning, `form` and `cut_off`, leave the focus where it was. */
const notWalked: Record<string, string[]> = {
  payment: ["form"],
  enquiry: ["page1_claimed", "page1_clash", "page2_clash", "page3_claimed"],
  login: [],
  booking: ["cut_off", "room_claimed", "room_clash"],
};

test("every screen of the four machines was walked to", () => {
  const clashes = ["page1_clash", "page2_clash"];
  const refused = ["page1_refused", "page1_claimed", "page2_claimed", "page2_failed", "page3_claimed", "page3_failed"];
  const screens = {
    payment: screensOf(paymentMachine, variants.payment, (snapshot) => paymentShown(snapshot, false)),
    enquiry: [...screensOf(leadFormMachine, variants.enquiry, leadShown), ...clashes, ...refused],
    login: screensOf(loginMachine, variants.login, loginShown),
    booking: [...screensOf(bookingMachine, variants.booking, bookingShown), "room_clash"],
  };
  const missing = Object.entries(screens).map(([machine, names]) => [
    machine,
    withoutArrival(machine, [...names].sort()),
  ]);
  expect(missing).toEqual(Object.keys(screens).map((machine) => [machine, notWalked[machine]]));
  expect(screens.payment.length).toBeGreaterThan(15);
});
