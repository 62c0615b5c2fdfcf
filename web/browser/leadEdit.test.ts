import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desktop, open, phone } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { type Stay, wishFor } from "./marketplace.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, phoneZh } from "./stagings.ts";

/** An enquiry that was sent is changed: from the profile (`edit_details`), and from two tabs at once (D79, D82). */

const site = openSite();
const dialogOf = (page: Page) => page.locator("dialog.modal-dialog");

interface SentLead {
  uuid: string;
  email: string;
}

interface StoredLead {
  state: string;
  user_details: { name: string; phone: string };
  data: { university?: string; move_in_date?: string; lease_duration?: string };
}

/** The lead as this reader's own browser is told it. */
async function stored(page: Page, { uuid }: SentLead): Promise<StoredLead> {
  const answer: { data: StoredLead } = await (await page.request.get(`/api/v0/leads/${uuid}`)).json();
  return answer.data;
}

/** Pays for the stay that the enquiry names, as its owner. */
async function pay(page: Page, lead: SentLead, { inventory_id }: Stay): Promise<void> {
  const payment = { lead_uuid: lead.uuid, inventory_id, payment_types: [] };
  const headers = { "idempotency-key": `${lead.uuid}.pay` };
  const opened = await page.request.post("/api/v0/payments", { data: { payment }, headers });
  const { data }: { data: { token: string } } = await opened.json();
  await site.market.begin(data.token);
  await expect.poll(async () => (await site.market.read(data.token)).status).toBe("initiated");
  await site.market.pay(data.token);
  await expect.poll(async () => (await stored(page, lead)).state).toBe("booked");
}

const changeElsewhere = ({ uuid }: SentLead, lead: unknown) =>
  site.market.call("PUT", `/api/v0/leads/${uuid}`, { lead });

async function openEdit({ say }: Scene, page: Page): Promise<void> {
  await open(page, "/profile/leads?tab=enquired");
  await page.getByRole("button", { name: say("profile.edit_details"), exact: true }).click();
  await dialogOf(page)
    .getByRole("heading", { name: say("lead.deck_edit_details_title") })
    .waitFor();
}

async function comeIn(scene: Scene, lead: SentLead): Promise<void> {
  await open(scene.page, "/?login=1&next=%2Fprofile%2Fleads%3Ftab%3Denquired");
  await logIn(scene, lead.email);
  await scene.page.waitForURL((url) => url.pathname === "/profile/leads");
}

const save = (page: Page) => dialogOf(page).locator(".dialog-foot button[type=submit]").click();

for (const { screen, lang } of chooseStagings([phoneZh])) {
  // A student changes an enquiry's details from the profile.
  test(`enquiry details are edited, at ${screen.width} px in ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const stay = await site.market.stay();
      const lead = await site.market.lead(stay);
      const { page, say } = scene;
      await comeIn(scene, lead);
      await openEdit(scene, page);
      const dialog = dialogOf(page);
      const field = (name: string) => dialog.locator(`[name=${name}]`);
      await expect.poll(() => field("name").inputValue()).toBe("Maya Ramos");
      await expect.poll(() => field("phone_code").inputValue()).toBe("ES");
      await expect.poll(async () => (await field("phone").inputValue()).replace(/\D/g, "")).toBe("612345678");
      await field("phone").fill("699 000 111");
      await scene.look("edit-details");
      await save(page);
      await dialog.locator("#lead-university").fill("University College London");
      await save(page);
      const changes = dialog.locator("[data-changes]");
      await changes.waitFor();
      await scene.look("edit-details-changed");
      for (const word of ["+34699000111", "+34612345678", "University College London"])
        await expect.poll(() => changes.textContent()).toContain(word);
      const after = await stored(page, lead);
      expect([after.user_details.phone, after.user_details.name]).toEqual(["+34699000111", "Maya Ramos"]);
      // What was not touched stays to the day.
      expect(after.data).toMatchObject({ ...wishFor(stay), university: "University College London" });
      await dialog.getByRole("button", { name: say("lead.done"), exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await scene.look("edit-details-closed");
    }));
}

// An enquiry that was booked meanwhile takes no other dates and says so.
test("an enquiry booked meanwhile refuses other dates and says so", () =>
  site.play(phone, "en", async (scene) => {
    const stay = await site.market.stay();
    const lead = await site.market.lead(stay);
    const { page, say } = scene;
    await comeIn(scene, lead);
    await openEdit(scene, page);
    await pay(page, lead, stay);
    await dialogOf(page).getByLabel(say("lead.stay"), { exact: true }).selectOption("4 weeks");
    await save(page);
    await dialogOf(page).getByText(say("refusal.lead_closed")).waitFor();
    await dialogOf(page)
      .getByRole("button", { name: say("lead.try_again") })
      .waitFor({ state: "detached" });
    await scene.look("edit-details-refused");
    await dialogOf(page)
      .locator(".dialog-foot")
      .getByRole("button", { name: say("ui.close"), exact: true })
      .click();
    await dialogOf(page).waitFor({ state: "detached" });
    await open(page, "/profile/leads?tab=booked");
    await page.locator("article.bcard").waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: say("profile.edit_details"), exact: true }).count())
      .toBe(0);
  }));

// Two tabs change the same enquiry: the second is told, chooses, and nothing is lost.
test("two tabs editing an enquiry: the second chooses", () =>
  site.play(desktop, "en", async (scene) => {
    const lead = await site.market.lead(await site.market.stay());
    const { page: first, say } = scene;
    await comeIn(scene, lead);
    const second = await first.context().newPage();
    await openEdit(scene, first);
    await openEdit(scene, second);
    await dialogOf(first).locator("[name=name]").fill("Maya Ramos Ruiz");
    await dialogOf(first).locator("[name=phone]").fill("611 111 111");
    await save(first);
    await dialogOf(first).locator("#lead-university").waitFor();
    await dialogOf(second).locator("[name=phone]").fill("622 222 222");
    const answer = second.waitForResponse((response) => response.request().method() === "PUT");
    await save(second);
    expect((await answer).status()).toBe(409);
    const notice = dialogOf(second).locator("[data-clash]");
    await notice.waitFor();
    for (const phoneNumber of ["+34622222222", "+34611111111"])
      await expect.poll(() => notice.textContent()).toContain(phoneNumber);
    expect((await stored(first, lead)).user_details.phone).toBe("+34611111111");
    await notice.getByRole("button", { name: say("change.here"), exact: true }).click();
    await dialogOf(second).locator("#lead-university").waitFor();
    const after = await stored(first, lead);
    expect(after.user_details).toMatchObject({ name: "Maya Ramos Ruiz", phone: "+34622222222" });
    // Page 2 of the first tab has seen less than that: another answer of the second is not written over.
    await dialogOf(second).locator("#lead-university").fill("King's College London");
    await save(second);
    await dialogOf(second).locator("[data-changes]").waitFor();
    await dialogOf(first).locator("#lead-university").fill("University of Leeds");
    await save(first);
    const other = dialogOf(first).locator("[data-clash]");
    await other.waitFor();
    await scene.look("edit-details-clash");
    await other.getByRole("button", { name: say("change.there"), exact: true }).click();
    await dialogOf(first).locator("[data-changes]").waitFor();
    expect((await stored(first, lead)).data.university).toBe("King's College London");
  }));

/** Two stays that can be had in one room, and an enquiry for that room which names none yet. */
async function twoStays(): Promise<{ here: Stay; there: Stay; lead: SentLead }> {
  for (const home of await site.market.homes("london", 20)) {
    const open = home.room_types.flatMap(({ options }) => options).filter(({ rooms_left }) => rooms_left > 0);
    for (const option of open) {
      const other = open.find((one) => one.inventory_id === option.inventory_id && one !== option);
      if (!other) continue;
      const [here, there] = [option, other].map((one) => ({ ...one, home: home.canonical_name }));
      if (here && there) return { here, there, lead: await site.market.lead(here, {}) };
    }
  }
  throw new Error("no room of London is let for two stays");
}

const keyOf = (stay: Stay) => [stay.inventory_id, stay.move_in_date, stay.lease_duration].join("|");

for (const { where, go, keep, screen, lang } of [
  { where: "form", go: "booking.continue", keep: "there", screen: phone, lang: "zh" },
  { where: "payment", go: "payment.choose_go", keep: "here", screen: phone, lang: "en" },
] as const) {
  // Dates chosen on the … page are not written over those of another tab.
  test(`dates of the ${where} page do not overwrite another tab's`, () =>
    site.play(screen, lang, async (scene) => {
      const stays = await twoStays();
      const { page, say } = scene;
      const radio = (stay: Stay) => page.locator(`main input[type=radio][value="${keyOf(stay)}"]`);
      const goOn = () => page.getByRole("button", { name: say(go), exact: true }).click();
      const seen = page.waitForResponse((response) => response.url().includes(`/leads/${stays.lead.uuid}`));
      await open(page, `/places/${stays.here.home}/${where}?lead_uuid=${stays.lead.uuid}`);
      await seen;
      await changeElsewhere(stays.lead, { data: wishFor(stays.there) });
      await radio(stays.here).check();
      const answer = page.waitForResponse((response) => response.request().method() === "PUT");
      await goOn();
      expect((await answer).status()).toBe(409);
      const notice = page.locator("[data-clash]");
      await notice.waitFor();
      await scene.look(`stay-clash-${where}`);
      await notice.getByRole("button", { name: say(`change.${keep}`), exact: true }).click();
      await notice.waitFor({ state: "detached" });
      if (keep === "there") {
        await expect.poll(() => radio(stays.there).isChecked()).toBe(true);
        await goOn();
      }
      await radio(stays.here).waitFor({ state: "detached" });
      expect((await stored(page, stays.lead)).data).toMatchObject(wishFor(stays[keep]));
    }));
}
