import { expect, test } from "vitest";
import { bookARoom } from "./booking.ts";
import { disputes } from "./cardTable.ts";
import { axe, open, shot } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { comeToPay, payWith, standsAt } from "./payer.ts";
import { enter, widerThanWindow } from "./scene.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import { until } from "./until.ts";
import { wordsOf } from "./words.ts";

/** Screens that no other story looks at: a partner's enquiry, the kept price, documents, a disputed payment before finance. */

const site = openSite();

/** A PNG. */
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

for (const { screen, lang } of chooseStagings([phoneZh])) {
  const at = `${screen.width} px, ${lang}`;

  test.concurrent(`a partner's enquiry and a kept price fit, ${at}`, () =>
    site.play(screen, lang, async (scene) => {
      const { page, say } = scene;
      const stay = await site.market.stay((rooms) => rooms > 3);
      await open(page, `/places/${stay.home}?partner_id=12`);
      const words = say(scene.narrow ? "property.ask" : "property.enquire_now");
      await page.getByRole("button", { name: words, exact: true }).locator("visible=true").last().click();
      const dialog = page.locator("dialog.modal-dialog");
      await dialog.getByLabel(say("lead.councellor_email")).fill("ana@");
      await dialog.getByLabel(say("lead.councellor_email")).blur();
      await dialog.getByLabel(say("lead.councellor_name")).scrollIntoViewIfNeeded();
      await scene.look("counsellor");

      const { uuid, email } = await site.market.lead(stay);
      const booking_form = { lead_uuid: uuid, inventory_id: stay.inventory_id };
      await site.market.call("POST", "/api/v0/booking_forms", { booking_form });
      await open(page, `/places/${stay.home}/form?lead_uuid=${uuid}`);
      await page.locator(".substep.now").waitFor();
      await page.locator("[data-price-lock]").first().waitFor({ state: "attached" });
      await scene.look("form-price-kept");
      await open(page, "/?login=1");
      await logIn(scene, email);
      await open(page, "/profile/leads");
      await page.getByRole("tab", { name: say("profile.tab_enquired") }).click();
      await page.locator("article.bcard").first().waitFor();
      await scene.look("profile-card");
    }));

  test.concurrent(`documents after the payment fit, ${at}`, () =>
    site.play(screen, lang, async (scene) => {
      const { page, say } = scene;
      const email = `documents.${lang}@example.org`;
      await bookARoom(site.url, email);
      await open(page, "/?login=1");
      await logIn(scene, email);
      await open(page, "/profile/leads");
      await page.locator("article.bcard .bnext .btn-primary").first().click();
      await page.locator(".substep.now").waitFor();
      const files = page.locator("input[type=file]:not([capture])");
      await files.first().setInputFiles({ name: "pass.jpg", mimeType: "image/jpeg", buffer: Buffer.from("<html>") });
      await page.locator("main .err, main .error").first().waitFor();
      await scene.look("document-refused");
      const name = "passport-of-maya-ramos-scanned-in-november-2026.png";
      await files.first().setInputFiles({ name, mimeType: "image/png", buffer: Buffer.from(onePixel, "base64") });
      await page.getByRole("button", { name: say("booking.file_remove") }).waitFor();
      await scene.look("document-sent");
    }));
}

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test.concurrent(`a disputed payment before finance fits, ${screen.width} px, ${lang}`, async () => {
    const payer = await enter({ ...site.stage(screen, lang), isInspected: false });
    const token = await comeToPay(payer, site.market);
    await payWith(payer.page, disputes);
    await standsAt(payer.page, "success");
    const { reference } = await site.market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`);
    const { page, context } = await staffOf(site, { name: `seldom-${lang}`, roles: ["finance"], screen, lang });
    const { say } = wordsOf(lang);
    const evidence = page.getByRole("link", { name: say("finance.evidence_pdf") });
    const dispute = page.getByRole("button", { name: new RegExp(`^${say("finance.kind_dispute_opened")}`) });
    for (const scheme of ["light", "dark"] as const) {
      await page.addInitScript((ground) => localStorage.setItem("latchkey.workspace.ground", ground), scheme);
      await until("the dispute is listed", async () => {
        await open(page, `/workspace/finance?q=${reference}`);
        await page.locator(".fin-t tr").first().waitFor({ state: "attached" });
        return (await dispute.count()) > 0;
      });
      await dispute.first().click();
      await evidence.waitFor();
      await evidence.scrollIntoViewIfNeeded();
      // Both files can be reached: what a drawer cuts off does not make the page wider.
      for (const words of ["finance.evidence_pdf", "finance.evidence_json"]) {
        const link = page.getByRole("link", { name: say(words) });
        await until(`${words} stands within the window`, async () => {
          const box = await link.boundingBox();
          return box !== null && box.x + box.width <= screen.width;
        });
      }
      await shot(page, `finance-disputed-${screen.width}-${lang}-${scheme}`);
      expect(await widerThanWindow(page)).toEqual([]);
      expect(await axe(page)).toEqual([]);
    }
    await Promise.all([context.close(), payer.leave()]);
  });
}
