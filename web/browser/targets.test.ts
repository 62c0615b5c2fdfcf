import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, desktop, open, phone } from "./chromium.ts";
import { openSite } from "./site.ts";

/** Every pin of a crowded map can be hit: 24 px of it are free, and none is cut by the map's edge or lies under a control. */

const site = openSite();

/** Pins of which less than 24 × 24 px can be pressed within the map, by name. */
function small(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown = [...document.querySelectorAll(".map")].find((one) => one.getBoundingClientRect().width > 0);
    if (!shown) return ["no map"];
    const map = shown.getBoundingClientRect();
    const controls = [...shown.querySelectorAll(".mapctl .icon-btn")].map((one) => one.getBoundingClientRect());
    return [...shown.querySelectorAll(".pinp")].flatMap((pin) => {
      const at = pin.getBoundingClientRect();
      const wide = Math.min(at.right, map.right) - Math.max(at.left, map.left);
      const high = Math.min(at.bottom, map.bottom) - Math.max(at.top, map.top);
      const under = controls.some(
        (one) => at.left < one.right && at.right > one.left && at.top < one.bottom && at.bottom > one.top,
      );
      return wide < 24 || high < 24 || under ? [`${pin.getAttribute("aria-label")} ${wide}×${high} ${under}`] : [];
    });
  });
}

for (const city of ["london", "new-york", "university-college-london"]) {
  for (const screen of [desktop, phone]) {
    test(`every pin of ${city} can be hit, at ${screen.width} px`, async () => {
      const { page, context } = await site.visit(screen, "en");
      await open(page, `/places/search/${city}`);
      if (screen === phone) await page.locator(".mappill").click();
      await page.locator(".map .pinp").locator("visible=true").first().waitFor();
      await expect.poll(() => small(page)).toEqual([]);
      expect(await axe(page)).toEqual([]);
      await page.locator(".mapctl .icon-btn").locator("visible=true").first().click();
      await page.locator(".map .pinp").locator("visible=true").first().waitFor();
      await expect.poll(() => small(page)).toEqual([]);
      expect(await axe(page)).toEqual([]);
      await context.close();
    });
  }
}

// While the next search is on its way only the pictures of the earlier homes are dimmed: their words stay readable.
test("homes of an earlier search can be read until the next answer", async () => {
  const { page, context } = await site.visit(desktop, "en");
  await open(page, "/places/search/london");
  await page.locator(".map .pinp").locator("visible=true").first().waitFor();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  await page.route(/\/_page\?/, async (route) => {
    await answered;
    await route.continue();
  });
  await page.locator(".mapctl .icon-btn").locator("visible=true").first().click();
  await page.locator(".homes.old").waitFor();
  await page
    .locator(".homes.old")
    .evaluate((homes) => Promise.all(homes.getAnimations({ subtree: true }).map(({ finished }) => finished)));
  expect(await axe(page)).toEqual([]);
  answer();
  await page.locator(".homes.old").waitFor({ state: "detached" });
  await context.close();
});
