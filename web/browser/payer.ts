import type { Page } from "playwright-core";
import { open } from "./chromium.ts";
import type { Marketplace } from "./marketplace.ts";
import type { Scene } from "./scene.ts";

/** Cards of the sandbox, by what they do. */
export const cards = {
  pays: "4242424242424242",
  asksTheBank: "4000002500003155",
  declined: "4000000000009995",
} as const;

/** Waits until the page shows the payment in one of X8's statuses. */
export async function standsAt(page: Page, status: string): Promise<void> {
  await page.locator(`[data-payment="${status}"]`).waitFor({ state: "attached" });
}

/** Somebody new before the card form of a payment of their own, the room held; answers the payment's token. */
export async function comeToPay(scene: Scene, market: Marketplace): Promise<string> {
  const { token, lead_uuid, inventory_root_id } = await market.payment(await market.stay((rooms) => rooms > 3));
  await open(scene.page, `/payments/${token}`);
  // The device that enquired keeps the link of its lead; the payment's own link names none.
  await scene.page.evaluate(
    ([home, lead]) => localStorage.setItem(`latchkey.lead.${home}`, lead ?? ""),
    [inventory_root_id, lead_uuid],
  );
  await standsAt(scene.page, "initiated");
  return token;
}

/** Fills in a test card from the list on the page. */
export async function chooseCard(page: Page, card: string): Promise<void> {
  const list = page.locator("details.test-cards");
  if ((await list.getAttribute("open")) === null) await list.locator("summary").click();
  await page.locator(`[data-card="${card}"]`).click();
}

/** The button that pays, or pays again. */
export const payButton = (page: Page) => page.locator(".pay-act button[type=submit]");

export async function payWith(page: Page, card: string): Promise<void> {
  await chooseCard(page, card);
  await payButton(page).click();
}
