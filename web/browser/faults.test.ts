import { beforeEach, expect, test } from "vitest";
import { desktop } from "./chromium.ts";
import { cards, comeToPay, payWith, standsAt } from "./payer.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn, phoneEn } from "./stagings.ts";
import { until } from "./until.ts";

/** The gateway's notices get lost, come twice, late and in the wrong order, and rooms are held for seconds only. */

const holdSeconds = 20;
const site = openSite({ LATCHKEY_HOLD_SECONDS: String(holdSeconds) });

beforeEach(() => plan({}));

/** How the gateway misbehaves from now on; nothing named is as on a good day. */
async function plan(faults: Record<string, number | boolean>): Promise<void> {
  await site.market.call("POST", "/dev/sandbox/plan", faults);
}

async function secretAtCard(scene: Scene): Promise<{ token: string; secret: string }> {
  const token = await comeToPay(scene, site.market);
  const secret = (await site.market.read(token)).gateway.client_secret;
  if (secret === null) throw new Error("no intent yet");
  return { token, secret };
}

/** The notices of one kind about a payment. */
async function told(secret: string, type: string) {
  const { notices } = await site.market.sandbox(secret);
  return notices.filter((notice) => notice.type === type);
}

// A success whose notice is lost is found out all the same, and the late notice changes nothing.
test("a lost success notice is found out and a late one is idle", () =>
  site.play(desktop, "en", async (scene) => {
    const { token, secret } = await secretAtCard(scene);
    await plan({ drop_percent: 100 });
    await payWith(scene.page, cards.pays);
    await standsAt(scene.page, "success");
    const [lost] = await told(secret, "payment_intent.succeeded");
    expect(lost).toMatchObject({ delivered: 0, dropped: true });
    // The receipt that is sent meanwhile is an event of its own.
    const { version: _before, ...before } = await site.market.read(token);
    await site.market.call("POST", "/dev/sandbox/repeat", { notices: [lost?.id] });
    await until("the late notice has come", async () => {
      const [late] = await told(secret, "payment_intent.succeeded");
      return late?.delivered === 1;
    });
    const { version: _after, ...after } = await site.market.read(token);
    expect(after).toEqual(before);
    expect((await site.market.sandbox(secret)).intent.attempts).toBe(1);
  }));

test("notices that come four times, late and newest first pay once", () =>
  site.play(desktop, "en", async (scene) => {
    const { token, secret } = await secretAtCard(scene);
    await plan({ duplicate_percent: 100, duplicates: 3, delay_ms: 1500, reorder: true });
    await payWith(scene.page, cards.declined);
    await standsAt(scene.page, "failed");
    await payWith(scene.page, cards.pays);
    await standsAt(scene.page, "success");
    for (const kind of ["payment_intent.payment_failed", "payment_intent.succeeded"]) {
      await until(`${kind} has come four times`, async () => {
        const [notice] = await told(secret, kind);
        return notice?.delivered === 4;
      });
    }
    expect((await site.market.read(token)).status).toBe("success");
    expect((await site.market.sandbox(secret)).intent.attempts).toBe(2);
    await scene.page.reload();
    await standsAt(scene.page, "success");
  }));

// A gateway that does not answer is said so, and trying again goes on.
test("an unreachable gateway is named and a retry goes on", () =>
  site.play(desktop, "en", async (scene) => {
    const { page, say } = scene;
    const { token } = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
    await plan({ outage: true });
    await page.goto(`/payments/${token}`);
    await standsAt(page, "init_failure");
    await scene.look("fault-no-gateway");
    await plan({});
    await page.getByRole("button", { name: say("payment.try_again") }).click();
    await standsAt(page, "initiated");
  }));

for (const { screen, lang } of chooseStagings([phoneEn], [desktopEn, phoneEn])) {
  // Who lets the hold run out is told so and can hold the room again.
  test.concurrent(`an expired hold is named and renewed, at ${screen.width} px`, () =>
    site.play(screen, lang, async (scene) => {
      const { page, say } = scene;
      const { secret } = await secretAtCard(scene);
      await standsAt(page, "sold_out");
      await page.getByRole("heading", { name: say("payment.hold_lost_title") }).waitFor();
      await scene.look("fault-hold-over");
      expect((await site.market.sandbox(secret)).intent.charge).toBeNull();
      await page.getByRole("link", { name: say("payment.hold_again") }).click();
      await page.getByRole("button", { name: say("payment.choose_go") }).click();
      await standsAt(page, "initiated");
    }));
}
