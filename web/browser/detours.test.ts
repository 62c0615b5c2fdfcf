import { expect, test } from "vitest";
import { declines, disputes, fails, settles } from "./cardTable.ts";
import { desktop, open, phone } from "./chromium.ts";
import { cards, chooseCard, comeToPay, payButton, payWith, standsAt } from "./payer.ts";
import { enter, type Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import { NO_OTHERS, othersByPage, PLAYERS } from "./thirdParties.ts";
import { until } from "./until.ts";

/** What a payer does beside the straight way: pressing twice, refusing, going back, reloading, waiting for the bank. */

const site = openSite();

/** What the gateway knows of a payment that stands before its card form. */
async function secretOf(token: string): Promise<string> {
  const { gateway } = await site.market.read(token);
  if (gateway.client_secret === null) throw new Error("no intent yet");
  return gateway.client_secret;
}

test.concurrent("two quick presses on Pay charge once", async ({ expect }) => {
  const scene = await enter(site.stage(desktop, "en"));
  const secret = await secretOf(await comeToPay(scene, site.market));
  await chooseCard(scene.page, cards.pays);
  await payButton(scene.page).dblclick();
  await standsAt(scene.page, "success");
  const { intent } = await site.market.sandbox(secret);
  expect(intent.attempts).toBe(1);
  expect(intent.charge).not.toBeNull();
  await scene.leave();
});

// Two tabs that press Pay at the same moment charge once, and both show the room.
test.concurrent("two tabs pressing Pay charge once and both show the room", async ({ expect }) => {
  const scene = await enter(site.stage(desktop, "en"));
  const token = await comeToPay(scene, site.market);
  const secret = await secretOf(token);
  const other = await scene.page.context().newPage();
  await open(other, `/payments/${token}`);
  await standsAt(other, "initiated");
  await Promise.all([chooseCard(scene.page, cards.pays), chooseCard(other, cards.pays)]);
  // A tab behind another cannot be pointed at, so both are pressed by their own script.
  // Held before: the first press may take the form away from the other tab.
  const buttons = await Promise.all([scene.page, other].map((tab) => payButton(tab).elementHandle()));
  await Promise.all(buttons.map((button) => button?.dispatchEvent("click")));
  await Promise.all([standsAt(scene.page, "success"), standsAt(other, "success")]);
  expect((await site.market.sandbox(secret)).intent.attempts).toBe(1);
  await scene.leave();
});

// Who refuses at the bank keeps the room, and can pay after a reload.
test.concurrent("refusing at the bank keeps the room and pays after a reload", async ({ expect }) => {
  const stage = site.stage(desktop, "en");
  const scene = await enter(stage);
  const { page, say } = scene;
  const secret = await secretOf(await comeToPay(scene, site.market));
  await payWith(page, cards.asksTheBank);
  const bank = page.getByRole("dialog", { name: say("payment.challenge_title") });
  await bank.waitFor();
  await page.reload();
  // The bank still waits for its answer, whatever became of the page.
  await bank.getByRole("button", { name: say("payment.challenge_no") }).click();
  await standsAt(page, "failed");
  await page.getByText(say("payment.decline_other")).waitFor();
  await scene.look("detour-refused");
  expect((await site.market.sandbox(secret)).intent.charge).toBeNull();
  await page.reload();
  await standsAt(page, "failed");
  await payWith(page, cards.pays);
  await standsAt(page, "success");
  await page.reload();
  await standsAt(page, "success");
  expect((await site.market.sandbox(secret)).intent.attempts).toBe(2);
  expect(stage.found).toEqual([]);
  await scene.leave();
});

for (const { screen, lang } of chooseStagings([phoneZh])) {
  // A transfer is pending until the bank's notice comes.
  test.concurrent(`a transfer is pending until its notice, at ${screen.width} px`, async ({ expect }) => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page, say } = scene;
    await comeToPay(scene, site.market);
    await page.getByRole("tab", { name: say("payment.way_bank") }).click();
    await scene.look("detour-transfer");
    await payButton(page).click();
    await page.getByRole("heading", { name: say("payment.pending_title") }).waitFor();
    await scene.look("detour-pending");
    // Nobody presses anything: the notice alone moves the page on.
    await page.getByRole("heading", { name: say("payment.success_title") }).waitFor();
    expect(stage.found).toEqual([]);
    await scene.leave();
  });
}

test.concurrent("a link that leads to no payment says so", async ({ expect }) => {
  const stage = site.stage(phone, "en");
  const scene = await enter(stage);
  expect(await open(scene.page, "/payments/0123456789abcdef0123456789abcdef")).toBe(404);
  await scene.page.getByRole("heading", { name: scene.say("errors.not_found") }).waitFor();
  await scene.look("detour-no-payment");
  expect(stage.found).toEqual([]);
  await scene.leave();
});

// On a slow network a step's code comes after its page: nothing that is pressed meanwhile may be lost.
test.concurrent("the room's step takes no press before it has come", async () => {
  const scene = await enter(site.stage(desktop, "en"));
  const { page, say } = scene;
  const stay = await site.market.stay((rooms) => rooms > 3);
  const { uuid } = await site.market.lead(stay);
  let send: () => void = () => undefined;
  const late = new Promise<void>((done) => {
    send = done;
  });
  await page.route(/\/assets\/RoomStep-/, async (route) => {
    await late;
    await route.continue();
  });
  await open(page, `/places/${stay.home}/form?lead_uuid=${uuid}&inventory_id=${stay.inventory_id}`);
  const go = page.getByRole("button", { name: say("booking.room_go"), exact: true });
  await go.and(page.locator("[aria-busy=true]")).waitFor();
  send();
  await go.and(page.locator(":not([aria-busy])")).click();
  await page.locator("main [name=city]").waitFor();
  await scene.leave();
});

// The same for the list of places: one that did not come is told, and asked for again.
test.concurrent("a list of places that did not come is told", async () => {
  const scene = await enter(site.stage(desktop, "en"));
  const { page, say } = scene;
  const code = /\/assets\/SuggestList-/;
  await page.route(code, (route) => route.abort());
  await open(page, "/");
  const box = page.getByRole("combobox").first();
  await box.fill("university college");
  await page.getByText(say("shell.places_failed")).waitFor();
  await page.unroute(code);
  await box.fill("university college lon");
  await page.getByRole("option").first().waitFor();
  await scene.leave();
});

/** Fields of the form that stand on the page now. */
async function typed(scene: Scene, names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map((name) => scene.page.locator(`main [name="${name}"]`).inputValue()));
}

// A reload or a way back in the middle of the form loses nothing.
test.concurrent("reload and Back in the middle of the form lose nothing", async ({ expect }) => {
  const scene = await enter(site.stage(desktop, "en"));
  const { page, say } = scene;
  const stay = await site.market.stay((rooms) => rooms > 3);
  const { uuid } = await site.market.lead(stay);
  await open(page, `/places/${stay.home}`);
  await open(page, `/places/${stay.home}/form?lead_uuid=${uuid}&inventory_id=${stay.inventory_id}`);
  await page.getByRole("button", { name: say("booking.room_go"), exact: true }).click();
  await page.locator("main [name=city]").fill("Leeds");
  await page.locator("main [name=postcode]").fill("LS1 1AA");
  await page.getByText(say("booking.saved")).waitFor();
  await page.reload();
  await page.locator("main [name=city]").waitFor();
  await expect.poll(() => typed(scene, ["full_name", "city", "postcode"])).toEqual(["Maya Ramos", "Leeds", "LS1 1AA"]);
  // Typed, not yet saved, and gone: it was kept on the device.
  await page.locator("main [name=course]").fill("Physics");
  await page.goBack();
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.goForward();
  await page.locator("main [name=course]").waitFor();
  await expect.poll(() => typed(scene, ["city", "course"])).toEqual(["Leeds", "Physics"]);
  await scene.leave();
});

// Every test card of X7 at the sandbox's card form, as a payer meets it.

// The test gateway's form is this server's own.
test.concurrent("no page asks another host, the payment's neither", () =>
  site.play(desktop, "en", async (scene) => {
    const others = { home: PLAYERS, search: PLAYERS, property: PLAYERS, form: PLAYERS, payment: NO_OTHERS };
    expect(await othersByPage(scene, site.market)).toEqual(others);
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
