import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loadAreas } from "../../i18n/catalogue.ts";
import { PageContext } from "../../pageContext.ts";
import type { Answers } from "../../testing/answers.ts";
import { inEnglish } from "../../testing/english.ts";
import { screensOf } from "../../testing/machineScreens.ts";
import { sampleLead } from "../../testing/sampleLead.ts";
import { samplePage } from "../../testing/samplePage.ts";
import { beginWalk, claimed, expectAllWalked, home, isAt, isHeadline, press, type } from "../../testing/screenWalk.tsx";
import BookingFormPage from "./BookingFormPage.tsx";
import { bookingMachine } from "./bookingMachine.ts";
import { bookingShown } from "./bookingScreens.ts";

vi.mock("../../ui/arrival.ts", async (original) =>
  (await import("../../testing/arrivals.ts")).recordArrivals(await original()),
);

beforeAll(() => loadAreas("en", ["booking", "form_sync", "change", "lead", "stay", "payment", "ui", "shell"]));

let server: Answers;

beforeEach(() => {
  server = beginWalk();
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
  const group = inEnglish("booking.group_emergency");
  await waitFor(() => expect(document.querySelector("[aria-labelledby] h2")?.textContent).toContain(group));
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

test("booking: another try in vain has the focus again", async () => {
  server.set("GET /api/v0/inventories", "offline");
  showBooking();
  fireEvent.click(await screen.findByRole("button", { name: /Try again/ }));
  await isHeadline(/./);
  fireEvent.click(await screen.findByRole("button", { name: /Try again/ }));
  await isHeadline(/./);
});

/** Chooses the room of step 1, and fills the contact in. */
async function fillRoomStep(): Promise<void> {
  server.set("GET /api/v0/inventories", { status: 404, code: "not_found" });
  showBooking();
  await waitFor(() => expect(document.querySelector("main input[type=radio]")).toBeTruthy());
  fireEvent.click(document.querySelector("main input[type=radio]") ?? document.body);
  type("main [autocomplete=name]", "Marta Ruiz");
  type("main [type=email]", "marta@uni.example");
  type("#booker-phone", "7700900214");
}

test("booking: a room of an account asks for its login, in focus", async () => {
  await fillRoomStep();
  server.set("POST /api/v0/leads", claimed);
  goOn();
  await isAt("[data-claimed]");
});

test("booking: a stay that another tab changed asks, in focus", async () => {
  server.set("GET /api/v0/inventories", { status: 404, code: "not_found" });
  server.set("GET /api/v0/leads/u-1", { status: 200, data: sampleLead });
  showBooking("u-1");
  await waitFor(() => expect(document.querySelector("main input[type=radio]")).toBeTruthy());
  fireEvent.click(document.querySelector("main input[type=radio]") ?? document.body);
  const there = { move_in_date: "2027-09-25", lease_duration: "51 weeks" };
  server.set("PUT /api/v0/leads", { status: 409, code: "changed_meanwhile" });
  server.set("GET /api/v0/leads/u-1", { status: 200, data: { ...sampleLead, version: 2, data: there } });
  goOn();
  await isAt("[data-clash]");
});

test("the steps of the page alone are numbered", async () => {
  server.set("GET /api/v0/inventories", { status: 404, code: "not_found" });
  server.set("GET /api/v0/leads/u-1", { status: 200, data: { ...sampleLead, forms_present: ["form"] } });
  server.set("POST /api/v0/booking_forms", { status: 200, data: form() });
  showBooking("u-1");
  await waitFor(() => expect(document.querySelector(".substep.now")).toBeTruthy());
  for (const section of document.querySelectorAll(".substep")) expect(section.textContent).toMatch(/^\p{L}/u);
  expect(document.querySelector(".steps-bar .now")?.textContent).toMatch(/^2/);
});

test("every screen of the booking form was walked to", () => {
  const plain = { ...Object(bookingMachine.config.context), form: form(), stayClashes: [], trouble: null };
  const variants = [plain, { ...plain, trouble: "busy" }, { ...plain, isClaimed: true }];
  expectAllWalked("booking", [...screensOf(bookingMachine, () => variants, bookingShown), "room_clash"]);
});
