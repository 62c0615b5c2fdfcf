import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desktop, open } from "./chromium.ts";
import { comeToWork } from "./desk.ts";
import { logIn } from "./logIn.ts";
import { cards, comeToPay, payWith, standsAt } from "./payer.ts";
import { enter } from "./scene.ts";
import { openSite } from "./site.ts";
import { bothStagings, chooseStagings, desktopEn, phoneZh } from "./stagings.ts";

/** A student asks under Support, staff answer from the queue, and both see one conversation (row G4). */

const site = openSite();

for (const { screen, lang } of bothStagings) {
  test.concurrent(`a question is asked and answered, at ${screen.width} px in ${lang}`, async ({ expect }) => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say } = scene;
    await open(page, "/profile/support");
    await logIn(scene, `asks.${lang}@example.org`);
    await page.getByText(say("cases.none_title")).waitFor();
    await scene.look("support-empty");
    await page.getByRole("button", { name: say("cases.new"), exact: true }).click();
    await page.getByLabel(say("cases.subject"), { exact: true }).fill(`Key ${lang}`);
    await page.getByLabel(say("cases.words")).fill("I arrive on a Sunday.");
    // A network that is away loses nothing of what was written.
    await page.context().setOffline(true);
    await page.getByRole("button", { name: say("cases.send"), exact: true }).click();
    await page.getByText(say("cases.not_sent")).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: say("cases.send"), exact: true }).click();
    await page.getByRole("heading", { name: `Key ${lang}` }).waitFor();
    const caseId = new URL(page.url()).pathname.split("/").at(-1);
    const bytes = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n";
    const file = { name: "visa.pdf", mimeType: "application/pdf", buffer: Buffer.from(bytes) };
    await page.getByLabel(say("cases.file_add")).setInputFiles(file);
    await page.getByRole("link", { name: "visa.pdf" }).waitFor();
    await scene.look("support-asked");

    const work = site.stage(screen, lang);
    const desk = await enter(work);
    await site.run("grant", "--email", `answers.${lang}@staff.example`, "--role", "support");
    await comeToWork(desk, `answers.${lang}@staff.example`, "leads");
    await open(desk.page, "/workspace/cases");
    // The list holds none of the student's words: the conversation is found by its address, and read by opening it.
    const asked = desk.page.locator(`a[href$="/workspace/cases/${caseId}"]`);
    await asked.waitFor();
    expect(await desk.page.getByText(`Key ${lang}`).count()).toBe(0);
    await desk.look("conversations");
    await asked.click();
    await desk.page.getByRole("heading", { name: `Key ${lang}` }).waitFor();
    await desk.page.getByText("I arrive on a Sunday.").waitFor();
    const offered = desk.page.waitForEvent("download");
    await desk.page.getByRole("link", { name: "visa.pdf" }).click();
    expect((await offered).suggestedFilename()).toBe("visa.pdf");
    await desk.page.getByLabel(desk.say("desk.answer")).fill("The desk is open on Sundays.");
    await desk.page.getByRole("button", { name: desk.say("desk.send"), exact: true }).click();
    await desk.page.locator(".case-one.staff", { hasText: "The desk is open on Sundays." }).waitFor();
    await desk.page.locator(".case-one.staff", { hasText: desk.say("desk.outcome_sent") }).waitFor();
    await desk.look("conversation");

    await page.reload();
    await page.getByText("The desk is open on Sundays.").waitFor();
    await scene.look("support-answered");
    for (const { found } of [stage, work]) {
      expect(found.filter(({ axe, wider, bare }) => axe.length + wider.length + bare.length > 0)).toEqual([]);
    }
    await desk.leave();
    await scene.leave();
  });
}

// Which messages a person wants, chosen in the profile and kept.

for (const { screen, lang } of chooseStagings([phoneZh])) {
  test.concurrent(`message settings are kept, at ${screen.width} px in ${lang}`, async ({ expect }) => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say } = scene;
    await open(page, "/profile");
    await logIn(scene, `messages.${lang}@example.org`);
    const card = page.locator("section", { has: page.getByRole("heading", { name: say("messages.title") }) });
    const reminders = card.getByRole("checkbox", { name: say("messages.reminders") });
    await reminders.waitFor();
    await expect.poll(() => reminders.isChecked()).toBe(true);
    await card.getByText(say("messages.channel_needs_phone")).waitFor();
    await scene.look("messages-before");
    await reminders.press("Space");
    await card.getByText("中文", { exact: true }).click();
    // A network that is away loses nothing of what was chosen.
    await page.context().setOffline(true);
    await card.getByRole("button", { name: say("messages.save") }).click();
    await card.getByText(say("messages.not_saved")).waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => reminders.isChecked()).toBe(false);
    await card.getByRole("button", { name: say("messages.save") }).click();
    await page.getByText(say("messages.saved"), { exact: true }).waitFor();
    await page.reload();
    await reminders.waitFor();
    await expect.poll(() => reminders.isChecked()).toBe(false);
    await expect.poll(() => card.getByRole("radio", { name: "中文" }).isChecked()).toBe(true);
    await scene.look("messages-chosen");
    expect(stage.found.filter(({ axe, wider, bare }) => axe.length + wider.length + bare.length > 0)).toEqual([]);
    await scene.leave();
  });
}

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test.concurrent(`a message is read for a reason, at ${screen.width} px in ${lang}`, async ({ expect }) => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say, like } = scene;
    const stay = await site.market.stay((rooms) => rooms > 3);
    const { email } = await site.market.lead(stay);
    await site.run("grant", "--email", `letters.${lang}@staff.example`, "--role", "support");
    await comeToWork(scene, `letters.${lang}@staff.example`, "leads");
    const found = await page.context().request.get(`/api/v0/workspace/leads?q=${encodeURIComponent(email)}`);
    const lead = (await found.json()).data.result[0].lead_id;
    await open(page, `/workspace/leads/${lead}`);
    const row = page.locator(".ev", { hasText: like("timeline.lead_letter_sent.arrived") });
    await row.locator("button.n").click();
    await row.getByRole("button", { name: say("support.letter_read") }).click();
    const dialog = page.locator(".w-box");
    await dialog.getByLabel(say("support.letter_why")).fill("No mail came");
    await scene.look("letter-why");
    await dialog.getByRole("button", { name: say("support.letter_show") }).click();
    await dialog.locator(".letter-text").waitFor();
    await scene.look("letter-text");
    await dialog
      .getByRole("button", { name: say("support.letter_close"), exact: true })
      .last()
      .click();
    await page.locator(".ev", { hasText: "No mail came" }).first().waitFor();
    expect(stage.found.filter(({ axe, wider, bare }) => axe.length + wider.length + bare.length > 0)).toEqual([]);
    await scene.leave();
  });
}

// A student reads out a code, support sees where they stand and gives a hint, and the student ends it (row N11).

/** The fields and buttons of the page that something lies upon. */
const coveredBy = (page: Page, selector: string) =>
  page.evaluate((over) => {
    const lies = document.querySelector(over)?.getBoundingClientRect();
    const controls = document.querySelectorAll("main input, main select, main textarea, main button");
    return [...controls].flatMap((control) => {
      const at = control.getBoundingClientRect();
      const apart = !lies || at.width === 0 || at.right <= lies.left || at.left >= lies.right;
      return apart || at.bottom <= lies.top || at.top >= lies.bottom ? [] : [control.outerHTML.slice(0, 80)];
    });
  }, selector);

async function formAddress(lang: string): Promise<string> {
  const home = (await site.market.homes("london", 8)).find(({ bookable }) => bookable);
  const stay = home?.room_types.flatMap(({ options }) => options).find(({ rooms_left }) => rooms_left > 0);
  if (!home || !stay) throw new Error("no home can be booked");
  const asked = new URLSearchParams({
    inventory_id: stay.inventory_id,
    lease_duration: `${stay.lease_duration} ${stay.lease_duration_unit}`,
    move_in_date: stay.move_in_date,
    email: `mirror.${lang}@example.org`,
    "phone[first]": "GB +44",
    "phone[last]": "7700900123",
    "fullName[first]": "Maya",
    "fullName[last]": "O'Neil",
  });
  return `/places/${home.canonical_name}/form?${asked}`;
}

for (const { screen, lang } of chooseStagings([phoneZh])) {
  test(`support sees a student's steps until they end it, ${screen.width} px`, async () => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say } = scene;
    await open(page, await formAddress(lang));
    const ask = page.getByRole("button", { name: say("ui.show_support") });
    const bar = page.locator(".mirror-bar");
    await ask.click();
    await bar.getByText(say("mirror.log_in_first")).waitFor();
    await scene.look("mirror-visitor");
    await bar.getByRole("button", { name: say("mirror.log_in") }).click();
    await logIn(scene, `mirror.${lang}@example.org`);
    await ask.click();
    const code = (await bar.locator(".mirror-code").textContent()) ?? "";
    expect(code).toMatch(/^\d{6}$/);
    expect(await coveredBy(page, ".mirror-bar"), "the code stands beside the fields, not on them").toEqual([]);
    await scene.look("mirror-code");

    const work = site.stage(screen, lang);
    const desk = await enter(work);
    await site.run("grant", "--email", `sees.${lang}@staff.example`, "--role", "support");
    await comeToWork(desk, `sees.${lang}@staff.example`, "leads");
    await open(desk.page, "/workspace/mirror");
    const typed = desk.page.getByLabel(desk.say("mirror_desk.code"));
    await typed.fill(code === "000000" ? "111111" : "000000");
    await desk.page.getByRole("button", { name: desk.say("mirror_desk.begin") }).click();
    await desk.page.locator(".err").waitFor();
    await desk.look("mirror-wrong-code");
    await typed.fill(code);
    await desk.page.getByRole("button", { name: desk.say("mirror_desk.begin") }).click();
    await bar.getByText(say("mirror.seen")).waitFor();
    await scene.look("mirror-on");

    await page.locator(".flow-foot button[type=submit]").click();
    await page.locator(".substep.now").waitFor();
    await page.locator(".flow-foot button[type=submit]").click();
    await desk.page.getByText(desk.say("mirror_desk.guard_answers_complete")).waitFor();
    const postcode = desk.page.locator(".mirror-faults li", { hasText: desk.say("booking.field_postcode") });
    await postcode.waitFor();
    expect(await desk.page.locator("main").textContent()).not.toContain("O'Neil");
    await desk.look("mirror-steps");

    await desk.page.getByLabel(desk.say("mirror_desk.field")).selectOption("postcode");
    await desk.page.getByRole("button", { name: desk.say("mirror_desk.send_nudge") }).click();
    const hint = page.locator(".mirror-field .mirror-nudge");
    await hint.getByText(say("mirror.nudge_goes_here")).waitFor();
    await scene.look("mirror-hint");

    await bar.getByRole("button", { name: say("mirror.end") }).click();
    await desk.page.getByText(desk.say("mirror_desk.over_student")).waitFor();
    await desk.look("mirror-over");
    await bar.getByRole("button", { name: say("ui.close") }).click();
    await open(page, "/profile");
    const listed = page.locator("section", { hasText: say("mirror.list_title") }).locator("li");
    await listed.getByText(say("mirror.page_booking_form")).waitFor();
    await listed.scrollIntoViewIfNeeded();
    await scene.look("mirror-listed");
    for (const { found } of [stage, work]) {
      expect(found.filter(({ axe, wider, bare }) => axe.length + wider.length + bare.length > 0)).toEqual([]);
    }
    await desk.leave();
    await scene.leave();
  });
}

test("a mirror names a decline and follows a dialog", async () => {
  const stage = site.stage(desktop, "en");
  const scene = await enter(stage);
  const { page, say } = scene;
  await comeToPay(scene, site.market);
  const bar = page.locator(".mirror-bar");
  const ask = page.locator(".mirror-ask").getByRole("button", { name: say("ui.show_support") });
  await ask.click();
  await bar.getByRole("button", { name: say("mirror.log_in") }).click();
  await logIn(scene, "mirror.pays@example.org");
  await ask.click();
  const code = (await bar.locator(".mirror-code").textContent()) ?? "";

  const work = site.stage(desktop, "en");
  const desk = await enter(work);
  await site.run("grant", "--email", "sees.pays@staff.example", "--role", "support");
  await comeToWork(desk, "sees.pays@staff.example", "leads");
  await open(desk.page, "/workspace/mirror");
  await desk.page.getByLabel(desk.say("mirror_desk.code")).fill(code);
  await desk.page.getByRole("button", { name: desk.say("mirror_desk.begin") }).click();
  await desk.page.locator('[data-state="initiated"]').waitFor();
  await payWith(page, cards.declined);
  await standsAt(page, "failed");
  await desk.page.locator('[data-state="failed"]').waitFor();
  await desk.page.getByText(desk.say("mirror_desk.declined_insufficient_funds")).waitFor();
  expect(await desk.page.locator("main").textContent()).not.toContain(cards.declined.slice(-4));
  await desk.look("mirror-payment");

  // A reload goes on with the same mirror.
  await page.reload();
  await bar.getByText(say("mirror.seen")).waitFor();
  await page.getByRole("button", { name: say("shell.help") }).click();
  const dialog = page.locator("dialog[open]");
  await dialog.locator(".mirror-bar").getByText(say("mirror.seen")).waitFor();
  await desk.page.locator('[data-state="form.editing"]').waitFor();
  await dialog.locator("button[type=submit]").click();
  await desk.page.locator(".mirror-faults li").first().waitFor();
  await desk.look("mirror-dialog");
  await scene.look("mirror-in-dialog");
  await desk.page.getByRole("button", { name: desk.say("mirror_desk.end") }).click();
  await dialog.getByText(say("mirror.over_staff")).waitFor();
  for (const { found } of [stage, work]) {
    expect(found.filter(({ axe, wider, bare }) => axe.length + wider.length + bare.length > 0)).toEqual([]);
  }
  await desk.leave();
  await scene.leave();
});
