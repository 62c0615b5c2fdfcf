import type { Page } from "playwright-core";
import { test } from "vitest";
import { desktop, open } from "./chromium.ts";
import { press, type } from "./keyboard.ts";
import { standsAt } from "./payer.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { LEFT, nextSection } from "./student.ts";

/** The whole booking without a mouse: nothing here clicks, fills or focuses; keys are pressed and that is all. */

const site = openSite();

async function findTheHome({ page }: Scene, name: string): Promise<void> {
  await type(page, page.getByRole("combobox"), name);
  const answer = page.getByRole("option", { name: new RegExp(name) }).first();
  await answer.waitFor();
  for (let steps = 0; (await answer.getAttribute("aria-selected")) !== "true"; steps++) {
    if (steps > 20) throw new Error("the arrows do not reach the home");
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

async function enquire({ page, say }: Scene): Promise<void> {
  await press(page, page.getByRole("button", { name: say("property.book"), exact: true }).locator("visible=true"));
  const dialog = page.locator("dialog[open]");
  await type(page, dialog.locator("input[name=name]"), "Kei Tanaka");
  await type(page, dialog.locator("input[name=email]"), "kei.tanaka@example.org");
  await type(page, dialog.locator("select[name=phone_code]"), "United Kingdom");
  await type(page, dialog.locator("#lead-phone"), "7700900127");
  await page.keyboard.press("Enter");
  await press(page, dialog.getByRole("button", { name: say("lead.continue_book"), exact: true }));
  await page.waitForURL(/\/form\?/);
}

const personal: Record<string, string> = {
  full_name: "Kei Tanaka",
  dob: "14032004",
  phone: "7700900127",
  email: "kei.tanaka@example.org",
  nationality: "Japan",
  address_line_1: "1 Park Lane",
  city: "Leeds",
  postcode: "LS1 1AA",
  country: "United Kingdom",
  university: "UCL",
  enrolment_status: "Enrolled",
};
const relative: Record<string, string> = {
  full_name: "Rin Tanaka",
  relation: "mother",
  phone: "7700900128",
  email: "rin.tanaka@example.org",
  address_line_1: "2 Park Lane",
  city: "Leeds",
  postcode: "LS1 1AA",
  country: "United Kingdom",
};

/** Answers in the order in which the fields stand on the page, whichever of them are asked. */
async function answer(page: Page, answers: Record<string, string>): Promise<void> {
  const names = await page
    .locator("main form [name]")
    .evaluateAll((fields) => fields.map((field) => field.getAttribute("name") ?? ""));
  for (const name of names) {
    const text = answers[name];
    if (text !== undefined) await type(page, page.locator(`main form [name="${name}"]`), text);
  }
}

async function fillForm(scene: Scene): Promise<void> {
  const { page, say } = scene;
  const choose = page.locator("main input[type=radio]");
  await press(page, choose, "Space");
  await press(page, page.getByRole("button", { name: say("booking.room_go"), exact: true }));
  for (const answers of [personal, relative, relative]) {
    const now = page.locator(".substep.now .substep-go");
    await now.waitFor();
    const section = ((await now.textContent()) ?? "").trim();
    await answer(page, answers);
    await press(page, page.locator(".flow-foot button[type=submit]"));
    if ((await nextSection(scene, section)) === LEFT) return;
  }
}

test("a home is found, booked and paid with the keyboard alone", () =>
  site.play(desktop, "en", async (scene) => {
    const { page, say } = scene;
    const home = (await site.market.homes("london", 10)).find(({ available }) => available);
    if (!home) throw new Error("no home can be booked");
    await open(page, "/");
    await findTheHome(scene, home.name);
    await enquire(scene);
    await fillForm(scene);
    await standsAt(page, "initiated");
    await type(page, page.getByLabel(say("payment.number")), "4242424242424242");
    await type(page, page.getByLabel(say("payment.expiry")), "0830");
    await type(page, page.getByLabel(say("payment.code")), "123");
    await scene.look("keyboard-card");
    await page.keyboard.press("Enter");
    await standsAt(page, "success");
    await press(page, page.getByRole("link", { name: say("payment.view_bookings"), exact: true }));
    await page.locator("dialog.modal-login").waitFor();
  }));
