import { expect, test } from "vitest";
import { open, shot } from "./chromium.ts";
import { cards, payWith, standsAt } from "./payer.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import { wordsOf } from "./words.ts";

/** Payment links of staff, the waitlist of a room that is sold out, and the price that an enquiry keeps (decisions 0022 and 0025). */

const site = openSite();

for (const { screen, lang } of chooseStagings([phoneZh])) {
  test(`rent link is made, shown and paid, ${screen.width} px, ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const stay = await site.market.stay((rooms) => rooms > 3);
      const { uuid, reference } = await site.market.lead(stay);
      const { token } = await site.market.call<{ token: string }>("POST", "/api/v0/payments", {
        payment: { lead_uuid: uuid, inventory_id: stay.inventory_id, payment_types: [] },
      });
      await site.market.begin(token);
      expect((await site.market.pay(token)).status).toBe("success");
      const { page: desk, context } = await staffOf(site, { name: `links-${lang}`, roles: ["support"], screen, lang });
      const { say } = wordsOf(lang);
      const listed = async () => {
        const answer = await context.request.get(`/api/v0/workspace/leads?status=booked&q=${reference}`);
        return (await answer.json()).data.result[0]?.lead_id as string | undefined;
      };
      await expect.poll(listed).toBeTruthy();
      await open(desk, `/workspace/leads/${await listed()}`);
      await desk.getByRole("button", { name: say("links.open") }).click();
      await desk.getByText(say("links.none"), { exact: true }).waitFor();
      await desk.getByRole("button", { name: say("links.make") }).click();
      await desk.getByText(say("links.reason_short")).waitFor();
      await desk.locator(".dlg input[inputmode=decimal]").fill("1156.00");
      const due = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
      await desk.getByLabel(say("links.due_on")).fill(due);
      await desk.getByLabel(say("links.note")).fill("October");
      await desk.getByLabel(say("links.reason")).fill("Asked by phone");
      await desk.getByRole("button", { name: say("links.make") }).click();
      await desk.locator('[data-link="open"]').waitFor();
      const row = () => desk.locator('[data-link="open"]').textContent();
      await expect.poll(row).toContain(say("links.note_shown", { note: "October" }));
      expect(await row()).not.toContain(due);
      await shot(desk, `payment-links-${screen.width}-${lang}`);
      const links = await context.request.get(`/api/v0/workspace/payment_links?lead_id=${await listed()}`);
      const path: string = (await links.json()).data.links[0].path;
      await open(scene.page, path);
      await standsAt(scene.page, "initiated");
      await scene.page.getByRole("heading", { name: say("stay.link_title") }).waitFor();
      await scene.look("rent-link");
      await payWith(scene.page, cards.pays);
      await scene.page.getByRole("heading", { name: say("stay.link_paid_title") }).waitFor();
      await scene.look("rent-paid");
      const data = { lead_id: await listed(), type: "rent", amount_minor: 1_000, reason: "Asked by phone" };
      expect((await context.request.post("/api/v0/workspace/payment_links", { data })).status()).toBe(201);
      const two = await context.request.get(`/api/v0/workspace/payment_links?lead_id=${await listed()}`);
      const withdrawn = (await two.json()).data.links.find((one: { state: string }) => one.state === "open");
      const withdrawal = `/api/v0/workspace/payment_links/${withdrawn.payment_id}/withdraw`;
      expect((await context.request.post(withdrawal, { data: {} })).ok()).toBe(true);
      await open(scene.page, withdrawn.path);
      await scene.page.getByRole("heading", { name: say("stay.link_withdrawn_title") }).waitFor();
      // Looks at the console too: an intent that is refused would stand there.
      await scene.look("rent-link-withdrawn");
    }));
}

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test(`payer without a room takes a place, ${screen.width} px, ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const stay = await site.market.stay((rooms) => rooms >= 1 && rooms <= 3);
      await site.market.fill(stay);
      const { token } = await site.market.payment(stay);
      const { page, say } = scene;
      await open(page, `/payments/${token}`);
      await standsAt(page, "sold_out");
      await page.getByRole("button", { name: say("stay.wait_join") }).click();
      await page.getByText(say("stay.wait_you_are", { number: 1 }), { exact: true }).waitFor();
      await page.locator("[data-waitlist] summary").click();
      const first = page.locator("[data-waitlist] ol li").first();
      await expect
        .poll(() => first.textContent())
        .toContain(`${say("stay.wait_number", { number: 1 })} · ${say("stay.wait_own")}`);
      await scene.look("waitlist");
    }));
}

for (const { screen, lang } of chooseStagings([phoneZh])) {
  test(`enquiry's kept price stands beside the payment, ${screen.width} px, ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const { token } = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
      await open(scene.page, `/payments/${token}`);
      await standsAt(scene.page, "initiated");
      await scene.page.locator('[data-price-lock="kept"]').waitFor();
      await scene.look("price-kept");
    }));
}
