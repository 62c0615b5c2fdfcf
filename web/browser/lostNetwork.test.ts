import { expect, test } from "vitest";
import { isAmiss, loseAtEachStep } from "./lostNetwork.ts";
import { Network } from "./network.ts";
import { cards, payButton, payWith } from "./payer.ts";
import { enter } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import { bank, pays, withStripe } from "./stripePayer.ts";
import { api, intentsAtStripe, site as stripeSite } from "./stripeSite.ts";

/** At each gateway the network is lost at each step: a plain message, a way on, nothing typed is lost, one charge. */

const site = openSite();

const student = { name: "Mei Chen", email: "mei.chen@example.org", phone: "7700900123", stay: 0 };

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test(`a lost network at the card form pays once, ${screen.width} px, ${lang}`, async () => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say } = scene;
    const intents = async () =>
      (await site.market.call<{ intents: { charge: object | null }[] }>("GET", "/dev/sandbox")).intents;
    const before = (await intents()).length;
    const yes = page.getByRole("button", { name: say("payment.challenge_yes") });
    const token = await loseAtEachStep(scene, new Network(page), student, {
      pay: () => payWith(page, cards.asksTheBank),
      payAgain: () => payWith(page, cards.asksTheBank),
      confirmation: /\/sandbox_confirm$/,
      // The question stands, but takes no answer, while the payment is read again.
      untilBankAsks: () => yes.and(page.locator(":not([aria-busy])")).waitFor(),
      confirmAtBank: () => yes.click(),
      bankIsLost: "payment.unreachable_text",
    });
    expect((await site.market.read(token)).status).toBe("success");
    expect((await intents()).slice(before).map(({ charge }) => charge !== null)).toEqual([true]);
    expect(stage.found.filter(isAmiss)).toEqual([]);
    await scene.leave();
  });
}

for (const { screen, lang } of chooseStagings([phoneZh])) {
  test(`a lost network at stripe's form pays once, ${screen.width} px, ${lang}`, async () => {
    const stage = stripeSite.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say } = scene;
    const network = new Network(page);
    await withStripe(scene, api, network);
    const before = (await intentsAtStripe()).length;
    const token = await loseAtEachStep(scene, network, student, {
      pay: () => pays(scene, cards.asksTheBank),
      payAgain: () => payButton(page).click(),
      confirmation: /api\.stripe\.com\/v1\/payment_intents\/[^/]+\/confirm$/,
      untilBankAsks: async () => {
        const go = page.getByRole("button", { name: say("payment.stripe_asks_go") });
        await go.or(bank(scene, "pass")).first().waitFor();
        if (await go.isVisible()) await go.click();
        await bank(scene, "pass").waitFor();
      },
      confirmAtBank: () => bank(scene, "pass").click(),
      bankIsLost: "payment.stripe_asks_lost",
    });
    expect((await stripeSite.market.read(token)).status).toBe("success");
    const made = (await intentsAtStripe()).slice(0, -before || undefined);
    expect(made.map(({ status }) => status)).toEqual(["succeeded"]);
    expect(stage.found.filter(isAmiss)).toEqual([]);
    await scene.leave();
  });
}
