import { expect, test } from "vitest";
import { bookARoom } from "./booking.ts";
import { open } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { chooseCard, payButton, standsAt } from "./payer.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn } from "./stagings.ts";
import { LEFT, nextSection } from "./student.ts";

/** A student who booked before books again: the form is filled in, and few presses lead from the first page to the deposit. */

const site = openSite();

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test(`a returning student books in 12 actions, ${screen.width} px, ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const email = `mei.${lang}@example.org`;
      await bookARoom(site.url, email);
      await comeIn(scene, email);
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

async function comeIn(scene: Scene, email: string): Promise<void> {
  await open(scene.page, "/?login=1");
  await logIn(scene, email);
}
