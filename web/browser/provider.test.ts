import { expect, test } from "vitest";
import { axe, open, type Screen, shot } from "./chromium.ts";
import { staffOf } from "./staff.ts";
import { chooseStagings, phoneZh } from "./stagings.ts";
import { atStripe, site } from "./stripeSite.ts";
import { until } from "./until.ts";
import { type Lang, wordsOf } from "./words.ts";

/** Finance before the provider's account: money without a payment, payouts, movements with their fees. */

async function paysADeposit(): Promise<void> {
  const { token } = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
  const { gateway } = await site.market.begin(token);
  const intent = gateway.client_secret?.split("_secret_")[0];
  await atStripe(`payment_intents/${intent}/confirm`, { payment_method: "pm_card_visa" });
  await until("the deposit is paid", async () => (await site.market.read(token)).status === "success");
}

const matchesStrayMoney = (screen: Screen, lang: Lang) => async () => {
  const { say, like } = wordsOf(lang);
  await paysADeposit();
  const waiting = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
  const { reference, total_minor } = await site.market.call<{ reference: string; total_minor: number }>(
    "GET",
    `/api/v0/payments/${(await site.market.begin(waiting.token)).token}`,
  );
  await atStripe("test_helpers/take_from_elsewhere", { amount: String(total_minor) });
  await atStripe("test_helpers/pay_out", {});
  const { page, context, complaints } = await staffOf(site, {
    name: `rosa-${screen.width}`,
    roles: ["finance"],
    screen,
    lang,
  });
  await open(page, "/workspace/provider");
  await page.getByRole("button", { name: say("provider.read_now") }).click();
  await page.getByText(say("provider.verdict_matched"), { exact: true }).first().waitFor();
  await page.getByText(like("provider.payout_matches")).first().waitFor();
  const match = page.getByRole("button", { name: say("provider.match") });
  await match.first().waitFor();
  await page.getByText(say("provider.aside_no_payment")).first().waitFor();
  await shot(page, `workspace-provider-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);

  await match.first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("P-00000000");
  await dialog.locator("[type=submit]").click();
  await dialog.getByRole("alert").waitFor();
  await shot(page, `workspace-provider-match-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  complaints.splice(0);
  await dialog.getByRole("textbox").fill(reference);
  await dialog.locator("[type=submit]").click();
  await page.getByText(say("provider.unknown_none")).waitFor();
  await until("its room is booked", async () => (await site.market.read(waiting.token)).status === "success");
  await page.getByRole("link", { name: /^P-/ }).first().click();
  await page.locator(".at-prov b").first().waitFor();
  await shot(page, `workspace-provider-payment-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
};

for (const { device, screen, lang } of chooseStagings([phoneZh]))
  test(`finance matches money without a payment, on a ${device} in ${lang}`, matchesStrayMoney(screen, lang));
