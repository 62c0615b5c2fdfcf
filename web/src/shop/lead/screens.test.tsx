import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { User } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import type { Answers } from "../../testing/answers.ts";
import { inEnglish } from "../../testing/english.ts";
import { screensOf } from "../../testing/machineScreens.ts";
import { sampleLead } from "../../testing/sampleLead.ts";
import {
  beginWalk,
  claimed,
  expectAllWalked,
  focused,
  home,
  isAt,
  isHeadline,
  press,
  showDialog,
  submit,
  type,
} from "../../testing/screenWalk.tsx";
import { setSession } from "../session.ts";
import LeadModal from "./LeadModal.tsx";
import { leadFormMachine } from "./leadFormMachine.ts";
import { leadShown } from "./leadScreens.ts";

vi.mock("../../ui/arrival.ts", async (original) =>
  (await import("../../testing/arrivals.ts")).recordArrivals(await original()),
);

beforeAll(() => loadAreas("en", ["lead", "change", "login", "ui", "shell"]));

let server: Answers;

beforeEach(() => {
  server = beginWalk();
});

/** Opens an enquiry about the home, and fills page 1 in. */
function showEnquiry(variant: "enquire" | "virtual_tour_enquiry" = "enquire"): void {
  showDialog(<LeadModal inventory={home} variant={variant} onClose={() => undefined} />);
  fillIn();
}

function fillIn(): void {
  type("[name=name]", "Marta Ruiz");
  type("[name=email]", "marta@uni.example");
  type("#lead-phone", "7700900214");
}

async function showPage2(): Promise<void> {
  showEnquiry();
  server.set("POST /api/v0/leads", { status: 200, data: sampleLead });
  submit();
  await waitFor(() => expect(document.querySelector("[data-enquiry=continuation]")).toBeTruthy());
}

function askForTour(): void {
  fireEvent.click(document.querySelector(".slots button") ?? document.body);
  fireEvent.click(document.querySelector(".part-line .btn-tint") ?? document.body);
}

test("enquiry: each step has the focus", async () => {
  showDialog(<LeadModal inventory={home} variant="enquire" onClose={() => undefined} />);
  fillIn();
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
  const from = { amount_minor: 28_900, currency: "GBP", symbol: "£", decimals: 2, duration: "weekly" as const };
  const rooms = [{ name: "Studio", from }];
  const chosen = { ...home, rooms, room_inventory_id: "room-1", move_in_date: "2027-09-11" };
  showDialog(<LeadModal inventory={chosen} variant="book_now" onClose={() => undefined} />);
  expect(document.querySelector(".dialog-foot .link")).toBeNull();
  fillIn();
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
  fillIn();
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
  press(inEnglish("lead.leave_stay"));
  await isHeadline(/./);
});
test("enquiry: one of an account asks for its login, in focus", async () => {
  showDialog(<LeadModal inventory={home} variant="enquire" onClose={() => undefined} />);
  fillIn();
  server.set("POST /api/v0/leads", { status: 200, data: sampleLead });
  submit();
  await waitFor(() => expect(document.querySelector("[data-enquiry=continuation]")).toBeTruthy());
  type("#lead-university", "Leeds");
  server.set("PUT /api/v0/leads", claimed);
  submit();
  await isAt("[data-claimed]");
});

test("enquiry: page 1 of an account asks for its login, in focus", async () => {
  showEnquiry();
  server.set("POST /api/v0/leads", claimed);
  submit();
  await isAt("[data-arrival]");
  press("Change details");
  await isHeadline(/./);
  expect(document.querySelector(".dialog-foot [role=alert]")).toBeNull();
});

test("enquiry: an answer after a second try leaves no failure", async () => {
  showEnquiry();
  server.set("POST /api/v0/leads", { status: 500 });
  submit();
  await isAt("[role=alert]");
  server.set("POST /api/v0/leads", { status: 200, data: sampleLead });
  press("Try again");
  await waitFor(() => expect(document.querySelector("[data-enquiry=continuation]")).toBeTruthy());
  await isHeadline(/./);
  expect(document.querySelector("dialog [role=alert]")).toBeNull();
});

test("enquiry: a skipped page 2 leaves no failure on page 3", async () => {
  await showPage2();
  type("#lead-university", "Leeds");
  server.set("PUT /api/v0/leads", { status: 500 });
  submit();
  await isAt("[role=alert]");
  press("Skip");
  await waitFor(() => expect(document.querySelector("[data-enquiry=confirmation]")).toBeTruthy());
  await isHeadline(/./);
  expect(document.querySelector("dialog [role=alert]")).toBeNull();
});

const user: User = {
  id: "v-1",
  name: null,
  email: "marta@uni.example",
  phone: null,
  login_type: "email",
  is_internal: false,
  roles: [],
  referral_code: "MART-7Q4K",
};

const changedMeanwhile = { status: 409, code: "changed_meanwhile" };

test("enquiry: an edit that another tab answered asks, in focus", async () => {
  const newer = { ...sampleLead, version: 2, user_details: { ...sampleLead.user_details, name: "Marta R." } };
  showDialog(<LeadModal inventory={home} variant="edit_details" edited={sampleLead} onClose={() => undefined} />);
  type("[name=name]", "Marta Ruiz Gil");
  server.set("PUT /api/v0/leads", changedMeanwhile).set("GET /api/v0/leads", { status: 200, data: newer });
  submit();
  await isAt("dialog [data-clash]");
  server.set("PUT /api/v0/leads", { status: 200, data: newer });
  fireEvent.click(document.querySelectorAll("[data-clash] button")[1] ?? document.body);
  await waitFor(() => expect(document.querySelector("[data-clash]")).toBeNull());
  await isHeadline(/./);
});

test("enquiry: page 2 that another tab answered asks, in focus", async () => {
  await showPage2();
  type("#lead-university", "Leeds");
  const newer = { ...sampleLead, version: 2, data: { university: "Oxford" } };
  server.set("PUT /api/v0/leads", changedMeanwhile).set("GET /api/v0/leads", { status: 200, data: newer });
  submit();
  await isAt("dialog [data-clash]");
});

test("enquiry: a tour of an account is asked for after its login", async () => {
  showEnquiry("virtual_tour_enquiry");
  server.set("POST /api/v0/leads", { status: 200, data: sampleLead });
  submit();
  await waitFor(() => expect(document.querySelector("[data-enquiry=confirmation]")).toBeTruthy());
  server.set("POST /api/v0/leads/virtual_tour_request", claimed);
  askForTour();
  await isAt("[data-claimed]");
  server.set("POST /api/v0/leads/virtual_tour_request", { status: 200, data: sampleLead });
  act(() => setSession(user));
  await isAt("[data-arrival][role=status]");
  expect(document.querySelector("[data-claimed]")).toBeNull();
  act(() => setSession(null));
});

test.each([
  ["an enquiry", "enquire" as const, null],
  ["a question", "ask_question_faq_cta" as const, null],
  ["an edit", "edit_details" as const, sampleLead],
])("enquiry: %s offline says so, in focus", async (_, variant, edited) => {
  showDialog(<LeadModal inventory={home} variant={variant} edited={edited} onClose={() => undefined} />);
  fillIn();
  if (variant === "ask_question_faq_cta") type("dialog textarea", "Is there a bike store?");
  server.set("POST /api/v0/leads", "offline").set("PUT /api/v0/leads", "offline");
  submit();
  await isAt("[role=alert]");
  expect(focused()?.textContent).toMatch(/You are offline/);
});

test("every screen of the enquiry was walked to", () => {
  const plain = { clashes: [], refusals: [], trouble: null, viewing: null, isClaimed: false };
  const clashes = ["page1_clash", "page2_clash"];
  const refused = ["page1_refused", "page1_claimed", "page2_claimed", "page2_failed", "page3_claimed", "page3_failed"];
  const screens = screensOf(leadFormMachine, () => [plain, { ...plain, viewing: {} }], leadShown);
  expectAllWalked("enquiry", [...screens, ...clashes, ...refused]);
});
