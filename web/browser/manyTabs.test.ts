import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { desktop } from "./chromium.ts";
import type { Stay } from "./marketplace.ts";
import { cards, payWith, standsAt } from "./payer.ts";
import { patience } from "./scene.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";

/** Many tabs of one browser over HTTP/1.1, which gives a site six connections: none of them keeps another from loading. */

const site = openSite();

/** Pages of a browser under test all count as seen: these can be hidden, as tabs behind another one are. */
const hideable = () => {
  let isHidden = false;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  Object.defineProperty(document, "visibilityState", { get: () => (isHidden ? "hidden" : "visible") });
  addEventListener("turn", (event) => {
    if (!(event instanceof CustomEvent)) return;
    isHidden = !event.detail;
    document.dispatchEvent(new Event("visibilitychange"));
  });
};

const turn = (page: Page, isSeen: boolean) =>
  page.evaluate((seen) => dispatchEvent(new CustomEvent("turn", { detail: seen })), isSeen);

/** Opens tabs one after the other, each in front of the one before; gives all of them, the last one seen. */
async function openTabs(context: BrowserContext, addresses: readonly string[], isThere: string): Promise<Page[]> {
  const tabs: Page[] = [];
  for (const address of addresses) {
    const before = tabs.at(-1);
    if (before) await turn(before, false);
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    await page.goto(address);
    await page.locator(isThere).first().waitFor({ state: "attached" });
    tabs.push(page);
  }
  return tabs;
}

const enquire = (stay: Stay) => site.market.lead(stay);

test("ten staff tabs load, and those that are seen are live", async () => {
  const { context } = await staffOf(site, { name: "sue", roles: ["support"], screen: desktop, lang: "en" });
  await context.addInitScript(hideable);
  const stay = await site.market.stay();
  await enquire(stay);
  // Windows side by side: all of them are seen, and hear of the desk together.
  const lists: Page[] = [];
  for (let count = 0; count < 7; count += 1)
    lists.push(...(await openTabs(context, ["/workspace/leads"], ".leads tbody tr")));
  const row = lists[0]?.locator(".leads tbody tr a").first();
  const lead = (await row?.getAttribute("href")) ?? "";
  const leads = await openTabs(context, [lead, lead, lead], ".live:not(.lost)");
  await enquire(stay);
  for (const list of lists) await list.locator(".new-rows").waitFor();
  // A tab behind is told once it is seen again.
  const [first, , last] = leads;
  if (!first || !last) throw new Error("three tabs were opened");
  await turn(last, false);
  await turn(first, true);
  await first.locator(".live:not(.lost)").waitFor({ state: "attached" });
  await context.close();
});

test("ten payment tabs load, and one seen again is up to date", async () => {
  const { context } = await site.visit(desktop, "en");
  await context.addInitScript(hideable);
  const { token } = await site.market.payment(await site.market.stay());
  const tabs = await openTabs(context, Array(10).fill(`/payments/${token}`), '[data-payment="initiated"]');
  const [first, last] = [tabs[0], tabs.at(-1)];
  if (!first || !last) throw new Error("ten tabs were opened");
  await payWith(last, cards.pays);
  await standsAt(last, "success");
  await turn(last, false);
  expect(await first.locator('[data-payment="success"]').count()).toBe(0);
  await turn(first, true);
  await standsAt(first, "success");
  await context.close();
});
