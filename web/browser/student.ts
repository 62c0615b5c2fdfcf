import { expect } from "vitest";
import { isYearFirst } from "../src/i18n/format.ts";
import { open } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { standsAt } from "./payer.ts";
import type { Scene } from "./scene.ts";
import { until } from "./until.ts";

/** Who books in the story. */
export interface Student {
  name: string;
  email: string;
  /** National number, British. */
  phone: string;
  /** Which of the stays on offer is booked: tellings side by side must not take each other's last room. */
  stay: number;
}

/** Home, the university typed into the search, and a list narrowed by two filters. */
export async function findHomes(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await open(page, "/");
  await scene.look("home");
  const search = page.getByRole("combobox").first();
  await search.fill("university college lon");
  const answer = page.getByRole("option", { name: /University College London|伦敦大学学院/ }).first();
  await answer.waitFor();
  await scene.look("suggestions");
  await answer.click();
  await page.waitForURL(/\/places\/search\//);
  await page.locator(".pcard").first().waitFor();
  await scene.look("search");
  await page.getByRole("button", { name: say("search.filters") }).click();
  const drawer = page.getByRole("dialog", { name: say("search.filters") });
  const both = /_page.*(guarantor.*roomType|roomType.*guarantor)/;
  await drawer.getByLabel(say("search.guarantor_local")).check();
  // The button says how many homes there are for both: their number has come before anybody reads it.
  await Promise.all([
    page.waitForResponse((response) => both.test(response.url())),
    drawer.getByLabel(say("search.room_ensuite")).check(),
  ]);
  await scene.look("filters");
  await drawer.locator(".btn-primary").click();
  await page.waitForURL(/guarantor=/);
  await drawer.waitFor({ state: "detached" });
  await scene.look("search-filtered");
}

/** Opens the first home of the list that takes bookings. */
export async function openHome(scene: Scene): Promise<string> {
  const { page, say } = scene;
  const places = await page
    .locator(".pcard:not(.sold) h2 a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  for (const place of places) {
    if (!place) continue;
    const card = page.locator(".pcard", { has: page.locator(`a[href="${place}"]`) }).first();
    const name = ((await card.locator("h2").textContent()) ?? "").trim();
    await card.locator(`a[href="${place}"]`).first().click();
    await page.locator("h1", { hasText: name }).waitFor();
    await page.waitForURL((url) => url.pathname === place);
    const book = page.getByRole("button", { name: say("property.book"), exact: true }).locator("visible=true");
    if ((await book.count()) > 0) {
      await scene.look("property");
      return ((await page.locator("h1").textContent()) ?? "").trim();
    }
    await page.goBack();
    await page.locator(".pcard").first().waitFor();
  }
  throw new Error("no home of the list takes bookings");
}

/** An enquiry's three pages, on a phone a question's two; answers the lead's reference. */
export async function enquire(scene: Scene, { name, email, phone }: Student): Promise<string> {
  const { page, say } = scene;
  const button = say(scene.narrow ? "property.ask" : "property.enquire_now");
  await page.getByRole("button", { name: button, exact: true }).locator("visible=true").last().click();
  const dialog = page.locator("dialog.modal-dialog");
  await dialog.getByLabel(say("lead.name"), { exact: true }).fill(name);
  await dialog.getByLabel(say("lead.email"), { exact: true }).fill(email);
  await dialog.locator("select[name=phone_code]").selectOption("GB");
  await dialog.locator("#lead-phone").fill(phone);
  if (scene.narrow) await dialog.locator("textarea").fill("Is there a bike store?");
  await scene.look("lead-1");
  await dialog.locator(".dialog-foot button[type=submit]").click();
  if (!scene.narrow) {
    await dialog.locator("#lead-university").fill("University College London");
    await scene.look("lead-2");
    await dialog.getByRole("button", { name: say("lead.save_continue"), exact: true }).click();
  }
  const reference = dialog.locator(".ref").first();
  await reference.waitFor();
  await scene.look("lead-3");
  const answer = ((await reference.textContent()) ?? "").trim();
  await dialog.getByRole("button", { name: say("ui.close"), exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  return answer;
}

/** Logs in from the header and finds the enquiry among the own homes. */
export async function comeBack(scene: Scene, { email }: Student, reference: string): Promise<void> {
  const { page, say } = scene;
  await page
    .getByRole("button", { name: say("shell.log_in"), exact: true })
    .locator("visible=true")
    .first()
    .click();
  await logIn(scene, email, "login");
  await page
    .locator("header")
    .getByRole("link", { name: say("shell.account"), exact: true })
    .click();
  await page.waitForURL(/\/profile\/leads/);
  await page.getByRole("tab", { name: say("profile.tab_enquired") }).click();
  await page.locator(`article[data-lead="${reference}"]`).waitFor();
  await scene.look("enquired");
  await page.locator(`article[data-lead="${reference}"] .bnext .btn-primary`).click();
  await page.waitForURL(/\/form/);
}

const person = { relation: "mother", phone: "7700900456", email: "li.chen@example.org", full_name: "Li Chen" };

/** Every section of the booking form, up to the payment. Answers the names of the sections. */
export async function fillForm(scene: Scene, student: Student): Promise<string[]> {
  const { page } = scene;
  await page.locator("[data-booking] main").waitFor();
  await chooseStay(scene, student.stay);
  const seen: string[] = [];
  for (let section = await nextSection(scene, null); section !== LEFT; section = await nextSection(scene, section)) {
    seen.push(section);
    await answer(scene, answersTo(scene, student, seen.length));
    await scene.look(`form-${seen.length}`);
    await page.locator(".flow-foot button[type=submit]").click();
  }
  return seen;
}

/** What a student answers to the section of that number, counted from one: on themselves first, then on a parent. */
export function answersTo({ lang }: Scene, { phone, email, name }: Student, section: number): Record<string, string> {
  if (section > 1) return person;
  return {
    full_name: name,
    email,
    phone,
    dob: isYearFirst(lang) ? "20040314" : "14032004",
    university: "UCL",
    course: "Physics",
    address_line_1: "1 Park Lane",
    city: "Leeds",
    postcode: "LS1 1AA",
    country: "GB",
    nationality: "GB",
    enrolment_status: "enrolled",
  };
}

/** The form is done with. */
export const LEFT = "";

/** Waits for the section after `before`, or for the form's end; asks the page itself, because its address reaches us later. */
export async function nextSection({ page }: Scene, before: string | null): Promise<string> {
  const next = await page.waitForFunction((before) => {
    if (!location.pathname.endsWith("/form")) return { name: "" };
    const name = document.querySelector(".substep.now .substep-go")?.textContent?.trim();
    return name && name !== before ? { name } : null;
  }, before);
  return (await next.jsonValue())?.name ?? LEFT;
}

/** The room may have been chosen with the enquiry; here it is chosen anew. */
export async function chooseStay(scene: Scene, stay: number): Promise<void> {
  const { page, say } = scene;
  await page.locator("[data-booking] main:not([aria-busy]) h1").waitFor();
  const words = say(scene.narrow ? "booking.continue" : "booking.room_go");
  const go = page.getByRole("button", { name: words, exact: true });
  if ((await page.locator("main input[type=radio]").count()) === 0) return;
  const radios = page.locator("main input[type=radio]");
  await radios.nth(stay % (await radios.count())).check({ force: true });
  await scene.look("form-room");
  await go.click();
}

/** Types answers into the fields of this section that ask for them. */
export async function answer({ page }: Scene, answers: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(answers)) {
    const field = page.locator(`main [name="${key}"]`);
    if ((await field.count()) === 0) continue;
    const isSelect = (await field.first().evaluate((element) => element.tagName)) === "SELECT";
    if (isSelect) await field.selectOption(value);
    else await field.fill(value);
    if (key === "phone") await page.locator("main select[name=phone_code]").selectOption("GB");
  }
}

/** A card that is declined, then one the bank asks about, to the booked room. Answers the payment's page. */
export async function pay(scene: Scene): Promise<string> {
  const { page, say, like } = scene;
  await page.getByRole("heading", { name: say("payment.title_ask") }).waitFor();
  await standsAt(page, "initiated");
  await scene.look("payment");
  await page.getByText(say("payment.cards_title"), { exact: true }).click();
  await page.locator("[data-card='4000000000009995']").click();
  await page.getByRole("button", { name: like("payment.pay") }).click();
  await page.getByRole("heading", { name: say("payment.title_failed") }).waitFor();
  await page.getByText(like("payment.decline_insufficient_funds")).waitFor();
  await page.getByText(say("payment.again_note")).waitFor();
  await scene.look("payment-declined");
  await page.getByLabel(say("payment.number")).fill("4000002500003155");
  await page.getByLabel(say("payment.expiry")).fill("0830");
  await page.getByLabel(say("payment.code")).fill("123");
  await page.getByRole("button", { name: like("payment.pay_again") }).click();
  const bank = page.getByRole("dialog", { name: say("payment.challenge_title") });
  await bank.waitFor();
  await scene.look("payment-bank");
  await bank.getByRole("button", { name: say("payment.challenge_yes") }).click();
  await page.getByRole("heading", { name: say("payment.success_title") }).waitFor();
  await scene.look("payment-success");
  return page.url();
}

/** The booking stands among the own homes. */
export async function seeBooked(scene: Scene, home: string): Promise<void> {
  const { page, say } = scene;
  await page.getByRole("link", { name: say("payment.view_bookings"), exact: true }).click();
  await page.waitForURL(/\/profile\/leads/);
  const card = page.locator("article.bcard", { hasText: home });
  await card.getByText(say("profile.state_booked"), { exact: true }).waitFor();
  await scene.look("booked");
}

/** What came back stands on the payment's page. */
export async function seeRefund(scene: Scene, receipt: string, amount: string): Promise<void> {
  const { page, say } = scene;
  await until("the student reads what came back", async () => {
    await open(page, receipt);
    await page.getByRole("heading", { name: say("payment.success_title") }).waitFor();
    return (await page.getByText(say("payment.refunded", { amount })).count()) > 0;
  });
  await scene.look("refunded");
}

/** All of it came back: nobody is told any more that the room is theirs. */
export async function seeEnded(scene: Scene, receipt: string): Promise<void> {
  const { page, say } = scene;
  await until("the student reads that the booking has ended", async () => {
    await open(page, receipt);
    await page.locator("main:not([aria-busy]) h1").waitFor();
    return (await page.getByRole("heading", { name: say("payment.given_back_title") }).count()) > 0;
  });
  expect(await page.getByText(say("payment.add_calendar")).count()).toBe(0);
  await scene.look("ended");
}
