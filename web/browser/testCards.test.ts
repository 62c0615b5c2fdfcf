import { expect, test } from "vitest";
import { declines, disputes, fails, settles } from "./cardTable.ts";
import { desktop } from "./chromium.ts";
import { cards, comeToPay, payWith, standsAt } from "./payer.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import { NO_OTHERS, othersByPage } from "./thirdParties.ts";
import { until } from "./until.ts";

/** Every test card of X7 at the sandbox's card form, as a payer meets it. */

const site = openSite();

// The test gateway's form is this server's own.
test.concurrent("no page asks another host, the payment's neither", () =>
  site.play(desktop, "en", async (scene) => {
    const none = { home: NO_OTHERS, search: NO_OTHERS, property: NO_OTHERS, form: NO_OTHERS, payment: NO_OTHERS };
    expect(await othersByPage(scene, site.market)).toEqual(none);
  }));

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test.concurrent(`each declining card has its sentence, at ${screen.width} px in ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const { page, say } = scene;
      await comeToPay(scene, site.market);
      for (const [card, code] of declines) {
        await payWith(page, card);
        await page
          .locator(".pay-form")
          .getByText(say(`payment.decline_${code}`), { exact: true })
          .waitFor();
        await standsAt(page, "failed");
      }
      await scene.look("declined-last");
      await payWith(page, cards.pays);
      await standsAt(page, "success");
    }));
}

for (const { screen, lang } of chooseStagings([phoneZh])) {
  test.concurrent(`3-D Secure is passed and failed, at ${screen.width} px in ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const { page, say } = scene;
      await comeToPay(scene, site.market);
      for (const [answer, status] of [
        ["challenge_no", "failed"],
        ["challenge_yes", "success"],
      ] as const) {
        await payWith(page, cards.asksTheBank);
        const bank = page.getByRole("dialog", { name: say("payment.challenge_title") });
        await bank.getByRole("button", { name: say(`payment.${answer}`) }).click();
        await standsAt(page, status);
      }
    }));
}

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test.concurrent(`a delayed method settles or fails, at ${screen.width} px in ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const { page, say } = scene;
      await comeToPay(scene, site.market);
      await payWith(page, fails);
      await standsAt(page, "pending");
      await page.getByText(say("payment.pending_text")).waitFor();
      await standsAt(page, "failed");
      await payWith(page, settles);
      await standsAt(page, "pending");
      await standsAt(page, "success");
    }));
}

for (const { screen, lang } of chooseStagings([phoneZh])) {
  test.concurrent(`a disputed charge stays a booking, at ${screen.width} px in ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const token = await comeToPay(scene, site.market);
      await payWith(scene.page, disputes);
      await standsAt(scene.page, "success");
      await until("the bank has taken the charge back", async () => {
        const { notices } = await site.market.call<{ notices: { type: string }[] }>("GET", "/dev/sandbox");
        return notices.some(({ type }) => type === "charge.dispute.created");
      });
      await scene.page.reload();
      await standsAt(scene.page, "success");
      await until("the server still calls it paid", async () => (await site.market.read(token)).status === "success");
    }));
}
