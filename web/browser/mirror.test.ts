import { expect, test } from "vitest";
import { desktop, open } from "./chromium.ts";
import { comeToWork } from "./desk.ts";
import { logIn } from "./logIn.ts";
import { cards, comeToPay, payWith, standsAt } from "./payer.ts";
import { enter } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, phoneZh } from "./stagings.ts";

/** A student reads out a code, support sees where they stand and gives a hint, and the student ends it (row N11). */

const site = openSite();

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
