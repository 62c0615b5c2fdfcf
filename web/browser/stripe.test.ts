import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { desktop, phone, type Screen } from "./chromium.ts";
import { comeToPay, payButton, standsAt } from "./payer.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { stripeScript } from "./stripeScript.ts";
import { until } from "./until.ts";
import type { Lang } from "./words.ts";

/** Payments through Stripe's own form, against the imitation of Stripe's API that the server's stories use too. */

const imitation = spawn(resolve(import.meta.dirname, "../../target/debug/stripe-standin"), {
  stdio: ["pipe", "pipe", "inherit"],
});
const api = await new Promise<string>((done, fail) => {
  imitation.once("error", fail);
  createInterface({ input: imitation.stdout }).once("line", (line) => done(line.split(" ").at(-1) ?? ""));
});

const site = openSite({
  LATCHKEY_STRIPE_SECRET_KEY: "sk_test_standin",
  LATCHKEY_STRIPE_PUBLISHABLE_KEY: "pk_test_standin",
  LATCHKEY_STRIPE_WEBHOOK_SECRET: "whsec_standin",
  LATCHKEY_STRIPE_API_BASE: api,
});
beforeAll(() => imitation.stdin.write(`${site.url}/api/webhooks/stripe\n`));
afterAll(() => imitation.stdin.end());

/** The browser reaches Stripe's hosts here instead of on the internet. */
async function withStripe({ page }: Scene): Promise<void> {
  await page.route("https://js.stripe.com/**", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      headers: { "access-control-allow-origin": "*" },
      body: stripeScript,
    }),
  );
  await page.route("https://api.stripe.com/**", async (route) => {
    const asked = route.request();
    const answer = await fetch(api + new URL(asked.url()).pathname, {
      method: asked.method(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: asked.postData() ?? "",
    });
    await route.fulfill({
      status: 200,
      contentType: "application/json",
      headers: { "access-control-allow-origin": "*" },
      body: await answer.text(),
    });
  });
}

async function pays(scene: Scene, card: string): Promise<void> {
  await scene.page.locator("form.pay-form input").fill(card);
  await payButton(scene.page).click();
}

const takesADeposit = (screen: Screen, lang: Lang) =>
  site.play(screen, lang, async (scene) => {
    await withStripe(scene);
    const token = await comeToPay(scene, site.market);
    await pays(scene, "4000000000009995");
    await scene.page.locator("form.pay-form [role=alert], .pay-form .banner").first().waitFor();
    await scene.look("payment");
    await pays(scene, "4242424242424242");
    await standsAt(scene.page, "success");
    await until("the server knows of it", async () => (await site.market.read(token)).status === "success");
    const policy = await fetch(`${site.url}/`).then((home) => home.headers.get("content-security-policy"));
    expect(policy).not.toContain("stripe.com");
  });

test("stripe takes a deposit after a decline, on a desktop in en", () => takesADeposit(desktop, "en"));
test("stripe takes a deposit after a decline, on a phone in zh", () => takesADeposit(phone, "zh"));
