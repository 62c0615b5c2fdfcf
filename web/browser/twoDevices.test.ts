import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desktop, open, phone } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { cards, comeToPay, payButton, payWith, standsAt } from "./payer.ts";
import { enter, type Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { until } from "./until.ts";

/** One form, one payment, two devices with nothing in common but the link (N4). */

const site = openSite();
const field = (page: Page, name: string) => page.locator(`main [name="${name}"]`);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("name") ?? null);
const told = (page: Page, name: string) => page.locator(`[data-told="${name}"]`);

interface Begun {
  address: string;
  form: { form_uuid: string };
}

/** Somebody has enquired and begun the form; the link leads to it. */
async function begin(): Promise<Begun> {
  const stay = await site.market.stay();
  const { uuid } = await site.market.lead(stay);
  const booking_form = { lead_uuid: uuid, inventory_id: stay.inventory_id };
  const form = await site.market.call<{ form_uuid: string }>("POST", "/api/v0/booking_forms", { booking_form });
  return { address: `/places/${stay.home}/form?lead_uuid=${uuid}`, form };
}

async function devices(): Promise<[Scene, Scene]> {
  return Promise.all([enter(site.stage(desktop, "en")), enter(site.stage(phone, "zh"))]);
}

async function leave(...scenes: Scene[]): Promise<void> {
  for (const scene of scenes) await scene.leave();
}

async function openForm({ page }: Scene, { address }: Begun): Promise<void> {
  await open(page, address);
  await page.locator(".substep.now").waitFor();
}

test("answers of two devices are merged without moving the focus", async () => {
  const begun = await begin();
  const [laptop, mobile] = await devices();
  await Promise.all([openForm(laptop, begun), openForm(mobile, begun)]);
  await field(mobile.page, "course").click();
  // N4: within a second. A loaded machine is slow now and then, not each time.
  await until("an answer is on the other device within a second", async () => {
    const city = `Leeds ${Date.now()}`;
    await field(laptop.page, "city").fill(city);
    const from = Date.now();
    await expect.poll(() => field(mobile.page, "city").inputValue(), { interval: 20 }).toBe(city);
    return Date.now() - from < 1_000;
  });
  await field(laptop.page, "city").fill("Leeds");
  await expect.poll(() => field(mobile.page, "city").inputValue()).toBe("Leeds");
  await expect.poll(() => focused(mobile.page)).toBe("course");
  await mobile.page.keyboard.type("Physics");
  await expect.poll(() => field(laptop.page, "course").inputValue()).toBe("Physics");
  await expect.poll(() => field(laptop.page, "city").inputValue()).toBe("Leeds");
  await laptop.page.getByText(laptop.say("form_sync.elsewhere_title"), { exact: true }).click();
  await laptop.page.getByRole("img", { name: laptop.say("form_sync.elsewhere_code") }).waitFor();
  await expect.poll(() => laptop.page.locator(".elsewhere-link").textContent()).toBe(`${site.url}${begun.address}`);
  await laptop.look("form-elsewhere");
  await leave(laptop, mobile);
});

test("an overwritten answer is told on both devices", async () => {
  const begun = await begin();
  const [laptop, mobile] = await devices();
  await Promise.all([openForm(laptop, begun), openForm(mobile, begun)]);
  await laptop.page.context().setOffline(true);
  await field(laptop.page, "university").fill("Oxford Brookes");
  await field(mobile.page, "university").fill("UCL");
  await field(mobile.page, "course").click();
  await mobile.page.locator(".saved:not(.saved-moving)").waitFor();
  await laptop.page.context().setOffline(false);
  await told(laptop.page, "university").waitFor();
  await told(mobile.page, "university").waitFor();
  await expect.poll(() => told(laptop.page, "university").textContent()).toContain("UCL");
  await expect.poll(() => field(mobile.page, "university").inputValue()).toBe("Oxford Brookes");
  await laptop.look("form-told");
  await mobile.look("form-told");
  await told(laptop.page, "university")
    .getByRole("button", { name: laptop.say("form_sync.take_theirs") })
    .click();
  await expect.poll(() => field(mobile.page, "university").inputValue()).toBe("UCL");
  await told(mobile.page, "university").waitFor({ state: "detached" });
  await told(laptop.page, "university").waitFor({ state: "detached" });
  await leave(laptop, mobile);
});

async function storedEmail({ form }: Begun): Promise<string | undefined> {
  const path = `/api/v0/booking_forms/${form.form_uuid}`;
  const { sections } = await site.market.call<{ sections: { emergency_form?: { email?: string } } }>("GET", path);
  return sections.emergency_form?.email;
}

const personal = {
  full_name: "Maya Ramos",
  dob: "2004-05-06",
  phone: "+34612345678",
  email: "maya@example.org",
  nationality: "ES",
  address_line_1: "1 Park Lane",
  city: "Leeds",
  postcode: "LS1 1AA",
  country: "GB",
  university: "UCL",
  enrolment_status: "enrolled",
};

test("the form goes on at the same field on another device", async () => {
  const begun = await begin();
  const fields = Object.fromEntries(Object.entries(personal).map(([name, value]) => [name, { value }]));
  const section = `/api/v0/booking_forms/${begun.form.form_uuid}/sections/personal_form`;
  await site.market.call("PATCH", section, { fields, complete: true });
  const [laptop, mobile] = await devices();
  await openForm(laptop, begun);
  await field(laptop.page, "relation").fill("mother");
  await field(laptop.page, "email").fill("li.chen@");
  // The page is left at once: what was typed last goes out with it.
  await laptop.page.goto("/");
  await expect.poll(() => storedEmail(begun)).toBe("li.chen@");
  await laptop.leave();
  await openForm(mobile, begun);
  await expect.poll(() => focused(mobile.page)).toBe("email");
  await expect.poll(() => field(mobile.page, "email").inputValue()).toBe("li.chen@");
  await expect.poll(() => field(mobile.page, "relation").inputValue()).toBe("mother");
  await mobile.look("form-resumed");
  await mobile.leave();
});

test("a payment that one device has started waits on the other", async () => {
  const [laptop, mobile] = await devices();
  const intents = async () => (await site.market.call<{ intents: unknown[] }>("GET", "/dev/sandbox")).intents.length;
  const token = await comeToPay(laptop, site.market);
  await open(mobile.page, `/payments/${token}`);
  await standsAt(mobile.page, "initiated");
  const before = await intents();
  await payWith(laptop.page, cards.asksTheBank);
  await standsAt(laptop.page, "processing");
  await standsAt(mobile.page, "processing");
  await mobile.look("payment-elsewhere");
  // Either device may answer the bank; neither asks for a card again.
  const bank = mobile.page.getByRole("dialog", { name: mobile.say("payment.challenge_title") });
  await bank.waitFor();
  await mobile.page.getByText(mobile.say("payment.checking_title"), { exact: true }).waitFor();
  await payButton(mobile.page).waitFor({ state: "detached" });
  await expect(site.market.begin(token)).rejects.toThrow("payment_step_not_allowed");
  expect(await intents()).toBe(before);
  await laptop.page
    .getByRole("dialog", { name: laptop.say("payment.challenge_title") })
    .getByRole("button", { name: laptop.say("payment.challenge_yes") })
    .click();
  await standsAt(laptop.page, "success");
  await standsAt(mobile.page, "success");
  await leave(laptop, mobile);
});

test("a login elsewhere is told, and what was typed goes on", async () => {
  const stay = await site.market.stay();
  const { uuid, email } = await site.market.lead(stay);
  const booking_form = { lead_uuid: uuid, inventory_id: stay.inventory_id };
  const form = await site.market.call<{ form_uuid: string }>("POST", "/api/v0/booking_forms", { booking_form });
  const begun = { address: `/places/${stay.home}/form?lead_uuid=${uuid}`, form };
  const [laptop, mobile] = await devices();
  await openForm(laptop, begun);
  await open(mobile.page, "/?login=1");
  await logIn(mobile, email);
  const notice = laptop.page.locator("[data-claimed]");
  await field(laptop.page, "city").fill("Leeds");
  await notice.getByText(laptop.say("change.claimed")).waitFor();
  await field(laptop.page, "course").fill("Physics");
  await laptop.look("form-claimed");
  // A reload says the same; what was typed waits on this device.
  await laptop.page.reload();
  await laptop.page.getByRole("heading", { name: laptop.say("change.claimed_title") }).waitFor();
  // The same address gets a second code after half a minute.
  await site.market.call("POST", "/dev/clock", { forward_seconds: 60 });
  await notice.getByRole("button", { name: laptop.say("shell.log_in"), exact: true }).click();
  await logIn(laptop, email);
  await laptop.page.locator(".substep.now").waitFor();
  await expect.poll(() => field(laptop.page, "city").inputValue()).toBe("Leeds");
  await expect.poll(() => field(laptop.page, "course").inputValue()).toBe("Physics");
  await openForm(mobile, begun);
  await expect.poll(() => field(mobile.page, "course").inputValue()).toBe("Physics");
  await leave(laptop, mobile);
});
