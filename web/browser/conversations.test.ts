import { test } from "vitest";
import { open } from "./chromium.ts";
import { comeToWork } from "./desk.ts";
import { logIn } from "./logIn.ts";
import { enter } from "./scene.ts";
import { openSite } from "./site.ts";
import { bothStagings } from "./stagings.ts";

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
    await page.getByLabel(say("cases.subject")).fill(`Key ${lang}`);
    await page.getByLabel(say("cases.words")).fill("I arrive on a Sunday.");
    // A network that is away loses nothing of what was written.
    await page.context().setOffline(true);
    await page.getByRole("button", { name: say("cases.send"), exact: true }).click();
    await page.getByText(say("cases.not_sent")).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: say("cases.send"), exact: true }).click();
    await page.getByRole("heading", { name: `Key ${lang}` }).waitFor();
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
    await desk.page.getByRole("link", { name: `Key ${lang}` }).waitFor();
    await desk.look("conversations");
    await desk.page.getByRole("link", { name: `Key ${lang}` }).click();
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
