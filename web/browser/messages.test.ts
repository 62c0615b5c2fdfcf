import { test } from "vitest";
import { open } from "./chromium.ts";
import { comeToWork } from "./desk.ts";
import { logIn } from "./logIn.ts";
import { enter } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn, phoneZh } from "./stagings.ts";

/** Which messages a person wants, chosen in the profile and kept. */

const site = openSite();

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
