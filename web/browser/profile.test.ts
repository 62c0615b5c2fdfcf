import { expect, test } from "vitest";
import { bookARoom } from "./booking.ts";
import { desktop, open, phone, windowShot } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { chooseCard, payButton, standsAt } from "./payer.ts";
import { enter, type Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import { LEFT, nextSection } from "./student.ts";

/** The own homes with something in them (rows G1, D2, D5). */

const site = openSite();

async function comeIn(scene: Scene, email: string, next: string): Promise<void> {
  await open(scene.page, `/?login=1&next=${encodeURIComponent(next)}`);
  await logIn(scene, email);
  await scene.page.waitForURL((url) => url.pathname === next);
}

for (const { screen, lang } of chooseStagings([phoneZh])) {
  // An enquiry goes on with its own room and stay, and the shortlist holds a home.
  test(`enquiry goes on, shortlist holds, ${screen.width} px, ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const stay = await site.market.stay();
      const lead = await site.market.lead(stay);
      const { page, say } = scene;
      await comeIn(scene, lead.email, "/profile/leads");
      await page.getByRole("tab", { name: say("profile.tab_enquired") }).click();
      const card = page.locator("article.bcard");
      await card.waitFor();
      await scene.look("profile-enquired");
      await card.locator(".bnext .btn-primary").click();
      await page.waitForURL(/\/form\?.*inventory_id=/);
      const chosen = page.locator("main input[type=radio]:checked");
      await chosen.waitFor();
      const room = await chosen.evaluate((radio) => radio.closest("label")?.textContent ?? "");
      expect(room).toContain(String(stay.lease_duration));
      await open(page, `/places/${stay.home}`);
      // A phone has its heart on the card in the list; the card of this home stands under the homes just viewed.
      const heart = scene.narrow ? ".heart" : ".save";
      if (scene.narrow) await open(page, "/profile/leads?tab=recently_viewed");
      await page.locator(`${heart}[aria-pressed=false]`).locator("visible=true").first().click();
      await page.locator(`${heart}[aria-pressed=true]`).first().waitFor();
      // Leaving at once loses nothing; what is still on its way is there at the next look.
      await expect
        .poll(async () => {
          await open(page, "/profile/shortlist");
          return page.locator(".pcard, .empty-tab").first().getAttribute("class");
        })
        .toContain("pcard");
      await scene.look("profile-shortlist");
    }));
}

test("an American home is applied for on its own page", () =>
  site.play(phone, "en", async (scene) => {
    const [home] = await site.market.homes("new-york", 10);
    const option = home?.room_types.flatMap(({ options }) => options).find(({ rooms_left }) => rooms_left > 0);
    if (!home || !option) throw new Error("no home of New York can be booked");
    const lead = await site.market.lead({ ...option, home: home.canonical_name });
    const { page, say } = scene;
    await comeIn(scene, lead.email, "/profile/leads");
    await page.getByRole("tab", { name: say("profile.tab_enquired") }).click();
    await page.locator("article.bcard .bnext .btn-primary").click();
    await page.waitForURL(/\/application\?/);
    await page.getByRole("button", { name: say("booking.continue"), exact: true }).click();
    await page.getByRole("heading", { name: say("booking.title_apply") }).waitFor();
    await scene.look("application");
    await page.locator("main [name=full_name]").fill("Maya Ramos Ruiz");
    await page.getByText(say("booking.saved"), { exact: true }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: say("booking.title_apply") }).waitFor();
    await expect.poll(() => page.locator("main [name=full_name]").inputValue()).toBe("Maya Ramos Ruiz");
    await page.getByRole("button", { name: say("booking.back"), exact: true }).click();
    await page.locator("main input[type=radio]:checked").waitFor();
  }));

// A lead's own link shows it without a login, to read, and the login leads on.
test("a lead's link shows it read-only and leads to the login", () =>
  site.play(phone, "zh", async (scene) => {
    const lead = await site.market.lead(await site.market.stay());
    const { page, say } = scene;
    await open(page, `/profile/leads?lead_uuid=${lead.uuid}`);
    await page.getByRole("heading", { name: say("profile.shared_title") }).waitFor();
    await expect.poll(() => page.locator("article.bcard").count()).toBe(1);
    await expect.poll(() => page.locator("article.bcard .btn").count()).toBe(0);
    await scene.look("profile-shared-lead");
    await page
      .locator("main")
      .getByRole("button", { name: say("profile.guard_go") })
      .click();
    await logIn(scene, lead.email);
    await page.getByRole("tab", { name: say("profile.tab_enquired") }).waitFor();
  }));

// What a student comes back for: the shortlist, what is asked after the payment, and a form filled without a network.

const heart = (scene: Scene, at: number) => scene.page.locator(".pcard:not(.sold) .heart").nth(at);

for (const { screen, lang } of chooseStagings([desktopEn])) {
  // Hearts become a shortlist that stays.
  test.concurrent(`shortlisted hearts stay, at ${screen.width} px in ${lang}`, async ({ expect }) => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say } = scene;
    await open(page, "/places/search/london");
    const names = await page.locator(".pcard:not(.sold) .pname").allTextContents();
    // The first heart of a visitor asks who they are, so that the list outlives this browser.
    await heart(scene, 0).click();
    await logIn(scene, `heart.${lang}@example.org`);
    await heart(scene, 2).click();
    await page.getByText(say("ui.shortlist_added")).waitFor();
    await open(page, "/profile/shortlist");
    await page.locator(".pcard").nth(1).waitFor();
    await scene.look("account-shortlist");
    const kept = async () => (await page.locator(".pcard .pname").allTextContents()).sort();
    await expect.poll(kept).toEqual([names[0], names[2]].sort());
    await page.locator(".pcard .heart").first().click();
    await page.getByText(say("ui.shortlist_removed")).waitFor();
    await page.reload();
    await page.locator(".pcard").first().waitFor();
    await expect.poll(() => page.locator(".pcard").count()).toBe(1);
    expect(stage.found).toEqual([]);
    await scene.leave();
  });

  // What is asked after the payment is given.
  test.concurrent(`after-payment form is given, at ${screen.width} px in ${lang}`, async ({ expect }) => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say } = scene;
    const { email, reference } = await bookARoom(site.url, `papers.${lang}@example.org`);
    await open(page, "/profile/leads");
    await logIn(scene, email);
    const card = page.locator(`article[data-lead="${reference}"]`);
    await card.getByRole("link", { name: say("profile.action_add_documents") }).click();
    await page.getByRole("heading", { name: say("booking.title_after") }).waitFor();
    await page.locator("main [name=identity_document]").selectOption("passport");
    await page.locator("main [name=identity_number]").fill("X1234567");
    const picker = page.locator("main input[type=file][name=identity_file]");
    const file = (name: string, text: string) => ({ name, mimeType: "application/pdf", buffer: Buffer.from(text) });
    await picker.setInputFiles(file("page.pdf", "<html>"));
    await page.getByText(say("validation.document_kind")).waitFor();
    await picker.setInputFiles(file("Pass Mei.pdf", "%PDF-1.7 a passport startxref 9 %%EOF"));
    const sent = page.getByRole("link", { name: "Pass Mei.pdf" });
    await sent.waitFor();
    const [kept] = await Promise.all([page.waitForEvent("download"), sent.click()]);
    expect(kept.suggestedFilename()).toBe("Pass Mei.pdf");
    await page.locator("main input[type=checkbox]").press("Space");
    await scene.look("account-documents");
    await page.locator(".flow-foot button[type=submit]").click();
    await page.getByText(say("booking.sent_after")).waitFor();
    await scene.look("account-documents-sent");
    await page.getByRole("button", { name: say("booking.finish") }).click();
    await card.getByText(say("profile.next_none"), { exact: true }).waitFor();
    await expect.poll(() => card.getByRole("link", { name: say("profile.action_add_documents") }).count()).toBe(0);
    await scene.look("account-booked");
    expect(stage.found).toEqual([]);
    await scene.leave();
  });
}

// An enquiry written without a network is not lost, and goes once.
test.concurrent("an offline enquiry is kept and sent once", async ({ expect }) => {
  const stage = site.stage(phone, "en");
  const scene = await enter(stage);
  const { page, say } = scene;
  const home = (await site.market.homes("london", 10)).find(({ available }) => available);
  await open(page, `/places/${home?.canonical_name}`);
  await page
    .getByRole("button", { name: say("property.book"), exact: true })
    .locator("visible=true")
    .last()
    .click();
  const dialog = page.locator("dialog[open]");
  await dialog.locator("input[name=name]").fill("Ola Nord");
  await dialog.locator("input[name=email]").fill("ola.nord@example.org");
  await dialog.locator("select[name=phone_code]").selectOption("GB");
  await dialog.locator("#lead-phone").fill("7700900129");
  await page.context().setOffline(true);
  await dialog.locator(".dialog-foot button[type=submit]").click();
  await dialog.getByText(say("lead.offline")).waitFor();
  await page.context().setOffline(false);
  await scene.look("account-offline-enquiry");
  await dialog.getByRole("button", { name: say("lead.edit_again") }).click();
  await expect.poll(() => dialog.locator("input[name=name]").inputValue()).toBe("Ola Nord");
  // The whole page is closed: what was typed is on the device.
  await page.reload();
  await page
    .getByRole("button", { name: say("property.book"), exact: true })
    .locator("visible=true")
    .last()
    .click();
  await expect.poll(() => dialog.locator("input[name=email]").inputValue()).toBe("ola.nord@example.org");
  await expect.poll(() => dialog.locator("#lead-phone").inputValue()).toBe("7700900129");
  await dialog.locator(".dialog-foot button[type=submit]").click();
  await dialog.locator("#lead-university").waitFor();
  expect(stage.found.filter(({ axe }) => axe.length > 0)).toEqual([]);
  await scene.leave();
});

// A form filled without a network is kept here and sent when it is back.
test.concurrent("an offline form is kept here and sent when online", async ({ expect }) => {
  const stage = site.stage(desktop, "en");
  const scene = await enter(stage);
  const { page, say } = scene;
  const stay = await site.market.stay((rooms) => rooms > 3);
  const { uuid } = await site.market.lead(stay);
  await open(page, `/places/${stay.home}/form?lead_uuid=${uuid}&inventory_id=${stay.inventory_id}`);
  await page.getByRole("button", { name: say("booking.room_go"), exact: true }).click();
  await page.locator("main [name=city]").waitFor();
  await page.context().setOffline(true);
  await page.locator("main [name=city]").fill("Leeds");
  await page.getByText(say("booking.kept"), { exact: true }).waitFor();
  await windowShot(page, "account-kept-1280-en");
  await page.context().setOffline(false);
  await page.getByText(say("booking.saved")).waitFor();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.locator("main [name=city]").waitFor();
  await expect.poll(() => page.locator("main [name=city]").inputValue()).toBe("Leeds");
  await scene.leave();
});

// A student who booked before books again: the form is filled in, and few presses lead from the first page to the deposit.

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test(`a returning student books in 12 actions, ${screen.width} px, ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const email = `mei.${lang}@example.org`;
      await bookARoom(site.url, email);
      await open(scene.page, "/?login=1");
      await logIn(scene, email);
      const { page, say } = scene;
      let actions = 0;
      const act = async (one: Promise<unknown>) => {
        actions += 1;
        await one;
      };
      await open(page, "/");
      await act(page.getByRole("combobox").first().fill("university college lon"));
      const place = page.getByRole("option", { name: /University College London|伦敦大学学院/ }).first();
      await act(place.click());
      await page.locator(".pcard").first().waitFor();
      await act(page.locator(".pcard:not(.sold) h2 a").nth(1).click());
      const book = page.getByRole("link", { name: say("property.book"), exact: true }).locator("visible=true");
      await act(book.first().click());
      await page.locator("[data-booking] main:not([aria-busy]) h1").waitFor();
      const room = page.locator("main input[type=radio]");
      if (
        (await room.locator("visible=true").count()) > 0 &&
        (await page.locator("main input[type=radio]:checked").count()) === 0
      )
        await act(room.first().check({ force: true }));
      await expect.poll(() => page.locator("#booker-phone").inputValue()).not.toBe("");
      await scene.look("returning-room");
      await act(page.locator(".flow-foot button[type=submit]").click());
      let sections = 0;
      for (let name = await nextSection(scene, null); name !== LEFT; name = await nextSection(scene, name)) {
        sections += 1;
        await page.getByText(say("booking.filled_in")).waitFor();
        await scene.look(`returning-section-${sections}`);
        await act(page.locator(".flow-foot button[type=submit]").click());
      }
      // The booking of before may cover the same months: that is asked, and is no action of a booking.
      const second = page.getByRole("button", { name: say("payment.second_go"), exact: true });
      await page.locator('[data-payment="initiated"]').or(second).first().waitFor();
      if (await second.isVisible()) await second.click();
      await standsAt(page, "initiated");
      await chooseCard(page, "4242424242424242");
      // By hand it is three fields: number, expiry and code.
      actions += 3;
      await act(payButton(page).click());
      await page.getByRole("heading", { name: say("payment.success_title") }).waitFor();
      // A home that asks for a guarantor has one section more.
      expect(sections).toBeGreaterThanOrEqual(2);
      expect(actions + 3 - sections).toBeLessThanOrEqual(12);
    }));
}
