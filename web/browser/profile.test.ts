import { expect, test } from "vitest";
import { open, phone } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, phoneZh } from "./stagings.ts";

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
