import { expect, test } from "vitest";
import { declines, disputes, fails, settles } from "./cardTable.ts";
import { desktop, open, phone } from "./chromium.ts";
import { cards, comeToPay, payButton, standsAt } from "./payer.ts";
import { enter, type Scene } from "./scene.ts";
import { allStagings, chooseStagings, desktopEn, phoneZh, type Staging } from "./stagings.ts";
import { bank, pays, withStripe } from "./stripePayer.ts";
import { api, atStripe, intentsAtStripe, site } from "./stripeSite.ts";
import { comeBack, enquire, fillForm, findHomes, openHome, seeBooked } from "./student.ts";
import { othersByPage, PLAYERS } from "./thirdParties.ts";
import { until } from "./until.ts";

/** Payments through Stripe's own form, against the imitation of Stripe's API that the server's stories use too. */

/** Pays once more after a decline that the server knows of. */
async function paysAgain(scene: Scene, card: string): Promise<void> {
  await standsAt(scene.page, "failed");
  await pays(scene, card);
}

/** The intent of the form on screen. */
async function intentOf(token: string): Promise<string> {
  const { gateway } = await site.market.read(token);
  return gateway.client_secret?.split("_secret_")[0] ?? "";
}

/** Students beside each other must not take each other's last room. */
const students = new Map([
  ["desktop-en", { name: "Mei Chen", phone: "7700900123", stay: 0 }],
  ["desktop-zh", { name: "Lin Zhao", phone: "7700900125", stay: 3 }],
  ["phone-en", { name: "Tom Baker", phone: "7700900126", stay: 6 }],
  ["phone-zh", { name: "Anja Weber", phone: "7700900124", stay: 9 }],
]);

function studentOf({ device, lang }: Staging) {
  const student = students.get(`${device}-${lang}`);
  if (student === undefined) throw new Error(`no student books on a ${device} in ${lang}`);
  return student;
}

/** One person at the payment page whose browser reaches Stripe. */
const atStripesForm = ({ screen, lang }: Staging, act: (scene: Scene, token: string) => Promise<void>) =>
  site.play(screen, lang, async (scene) => {
    await withStripe(scene, api);
    await act(scene, await comeToPay(scene, site.market));
  });

/** On a phone the whole way is gone in `lostNetwork.test.ts`. */
for (const staging of chooseStagings([desktopEn], allStagings)) {
  const { screen, lang } = staging;
  const student = studentOf(staging);
  // From the first page to the booking among the own homes.
  test.concurrent(`a room is found and booked with stripe, at ${screen.width} px in ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      await withStripe(scene, api);
      const email = `${student.name.toLowerCase().replace(" ", ".")}@example.org`;
      await findHomes(scene);
      const home = await openHome(scene);
      const reference = await enquire(scene, { ...student, email });
      await comeBack(scene, { ...student, email }, reference);
      await fillForm(scene, { ...student, email });
      await standsAt(scene.page, "initiated");
      await pays(scene, cards.asksTheBank);
      await bank(scene, "pass").click();
      await scene.page.getByRole("heading", { name: scene.say("payment.success_title") }).waitFor();
      await seeBooked(scene, home);
    }));
}

const at = ({ screen, lang }: Staging) => `at ${screen.width} px in ${lang}`;

for (const staging of chooseStagings([phoneZh]))
  test.concurrent(`stripe takes a deposit after each decline, ${at(staging)}`, () =>
    atStripesForm(staging, async (scene, token) => {
      const { page, say } = scene;
      for (const [card, code] of declines) {
        await pays(scene, card);
        await page
          .locator(".pay-form")
          .getByText(say(`payment.decline_${code}`), { exact: true })
          .waitFor();
      }
      // The server knows of it, and says it after a reload too.
      const [, last] = declines[declines.length - 1] ?? declines[0];
      await standsAt(page, "failed");
      await page.reload();
      await page
        .locator(".pay-form")
        .getByText(say(`payment.decline_${last}`), { exact: true })
        .waitFor();
      await scene.look("stripe-declined");
      const intent = await intentOf(token);
      await pays(scene, cards.pays);
      await standsAt(page, "success");
      await until("the server knows of it", async () => (await site.market.read(token)).status === "success");
      await refunds(scene, token, intent);
    }));

for (const staging of chooseStagings([desktopEn]))
  test.concurrent(`stripe's bank window survives a reload, ${at(staging)}`, () =>
    atStripesForm(staging, async (scene) => {
      const { page, say } = scene;
      const go = page.getByRole("button", { name: say("payment.stripe_asks_go") });
      await pays(scene, cards.asksTheBank);
      await bank(scene, "fail").waitFor();
      await page.reload();
      await go.waitFor();
      await scene.look("stripe-bank-asks");
      await go.click();
      await bank(scene, "fail").click();
      await paysAgain(scene, cards.asksTheBank);
      await bank(scene, "pass").waitFor();
      await page.reload();
      await go.click();
      await bank(scene, "pass").click();
      await standsAt(page, "success");
    }));

for (const staging of chooseStagings([phoneZh]))
  test.concurrent(`stripe's bank says no, then yes, ${at(staging)}`, () =>
    atStripesForm(staging, async (scene) => {
      await pays(scene, cards.asksTheBank);
      await bank(scene, "fail").click();
      await scene.page.locator(".pay-form [role=alert]").first().waitFor();
      await pays(scene, cards.asksTheBank);
      await bank(scene, "pass").click();
      await standsAt(scene.page, "success");
    }));

for (const staging of chooseStagings([phoneZh]))
  test.concurrent(`stripe's slow methods and vouchers wait, ${at(staging)}`, () =>
    atStripesForm(staging, async (scene, token) => {
      const { page } = scene;
      const intent = await intentOf(token);
      await pays(scene, fails);
      await standsAt(page, "pending");
      await atStripe(`test_helpers/settle/${intent}`, { outcome: "failed" });
      await paysAgain(scene, "pm_multibanco");
      await standsAt(page, "pending");
      await scene.look("stripe-voucher");
      await atStripe(`test_helpers/settle/${intent}`, { outcome: "failed" });
      await paysAgain(scene, settles);
      await standsAt(page, "pending");
      await atStripe(`test_helpers/settle/${intent}`, {});
      await standsAt(page, "success");
    }));

for (const staging of chooseStagings([desktopEn]))
  test.concurrent(`stripe's wallet pays, and a dispute keeps the room, ${at(staging)}`, () =>
    site.play(staging.screen, staging.lang, async (scene) => {
      const { page } = scene;
      await withStripe(scene, api);
      await page.addInitScript(() => localStorage.setItem("standin.wallet", "yes"));
      await comeToPay(scene, site.market);
      await page.getByRole("button", { name: "Wallet" }).click();
      await standsAt(page, "success");
      const token = await comeToPay(scene, site.market);
      await pays(scene, disputes);
      await standsAt(page, "success");
      await page.reload();
      await standsAt(page, "success");
      expect((await site.market.read(token)).status).toBe("success");
    }));

test.concurrent("the payment page alone asks stripe, and may ask stripe alone", () =>
  site.play(desktop, "en", async (scene) => {
    await withStripe(scene, api);
    const { payment, ...others } = await othersByPage(scene, site.market);
    expect(others).toEqual({ home: PLAYERS, search: PLAYERS, property: PLAYERS, form: PLAYERS });
    expect(payment?.asked).toEqual(["js.stripe.com"]);
    expect(payment?.named).toEqual([
      "https://*.js.stripe.com",
      "https://*.stripe.com",
      "https://api.stripe.com",
      "https://hooks.stripe.com",
      "https://js.stripe.com",
    ]);
  }));

// One intent serves both devices, and one answer at the bank.
test.concurrent("one device's stripe payment waits on the other", async () => {
  const [laptop, mobile] = await Promise.all([enter(site.stage(desktop, "en")), enter(site.stage(phone, "zh"))]);
  await Promise.all([withStripe(laptop, api), withStripe(mobile, api)]);
  const token = await comeToPay(laptop, site.market);
  await open(mobile.page, `/payments/${token}`);
  await standsAt(mobile.page, "initiated");
  const first = await intentOf(token);
  const intents = async () => {
    const all = await intentsAtStripe();
    const payment = all.find(({ id }) => id === first)?.metadata["payment_id"];
    return all.filter(({ metadata }) => metadata["payment_id"] === payment);
  };
  await pays(laptop, cards.asksTheBank);
  await bank(laptop, "pass").waitFor();
  await standsAt(mobile.page, "processing");
  await mobile.page.getByRole("heading", { name: mobile.say("payment.bank_asks_title") }).waitFor();
  await payButton(mobile.page).waitFor({ state: "detached" });
  await mobile.look("stripe-elsewhere");
  await expect(site.market.begin(token)).rejects.toThrow("payment_step_not_allowed");
  expect(await intents()).toHaveLength(1);
  await bank(laptop, "pass").click();
  await Promise.all([standsAt(laptop.page, "success"), standsAt(mobile.page, "success")]);
  expect((await intents()).map(({ status }) => status)).toEqual(["succeeded"]);
  await Promise.all([laptop.leave(), mobile.leave()]);
});

/** Part of the money goes back, then all of it: the payer sees both. */
async function refunds({ page, like, say, look }: Scene, token: string, intent: string): Promise<void> {
  await atStripe("refunds", { payment_intent: intent, amount: "2000" });
  await page.reload();
  await until("the refund is on the page", async () => {
    if ((await page.getByText(like("payment.refunded")).count()) > 0) return true;
    await page.reload();
    return false;
  });
  await look("stripe-refunded");
  const { total_minor } = await site.market.call<{ total_minor: number }>("GET", `/api/v0/payments/${token}`);
  await atStripe("refunds", { payment_intent: intent, amount: String(total_minor - 2000) });
  await until("all of it went back", async () => {
    if ((await page.getByText(say("payment.given_back_title")).count()) > 0) return true;
    await page.reload();
    return false;
  });
}
