import { test } from "vitest";
import { bookARoom } from "./booking.ts";
import { desktop, open, phone, windowShot } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { enter, type Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn } from "./stagings.ts";

/** What a student comes back for: the shortlist, what is asked after the payment, and a form filled without a network. */

const site = openSite();

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
  await dialog.getByText(say("lead.failure")).waitFor();
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
