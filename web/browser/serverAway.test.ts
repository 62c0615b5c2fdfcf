import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, desktop, open, phone, shot } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { allStagings, bothStagings, chooseStagings } from "./stagings.ts";
import { wordsOf } from "./words.ts";

/** What the workspace says while the server is out of reach, and afterwards. */

const site = openSite();

for (const { device, screen, lang } of chooseStagings(bothStagings, allStagings)) {
  // A server that goes away is said in words, and nothing is called live.
  test(`a lost server is not called live, on a ${device} in ${lang}`, async () => {
    const { page, context } = await staffOf(site, { name: `away-${device}-${lang}`, roles: ["admin"], screen, lang });
    const { say } = wordsOf(lang);
    await open(page, "/workspace/read_models");
    const codes = page.getByRole("article", { name: "referral_code" });
    await codes.waitFor();

    await page.route(/\/api\//, (route) => route.abort("connectionrefused"));
    // By keyboard: a toast waits for a pointer that rests where it appears.
    await codes.getByRole("button", { name: say("workspace.rm_rebuild") }).press("Enter");
    await page.locator(".toast", { hasText: say("workspace.stopped_offline") }).waitFor();
    await page.locator(".live.lost").waitFor({ state: screen === phone ? "attached" : "visible" });
    await expect.poll(() => page.locator(".live").textContent()).toContain(say("workspace.live_lost"));
    const told = page.getByRole("alert");
    await told.waitFor();
    await expect.poll(() => gaps(page)).toEqual([16, 16]);
    expect(await axe(page)).toEqual([]);
    await shot(page, `workspace-away-${screen.width}-${lang}`);

    await page.unroute(/\/api\//);
    await told.waitFor({ state: "detached" });
    await page.locator(".live:not(.lost)").waitFor({ state: "attached" });
    await page.locator(".toast").waitFor({ state: "detached" });
    await context.close();
  });
}

// The code of a page comes after the first one, so that it opens and says what is wrong while the server is away.
test("a page not opened before says that the server is away", async () => {
  const desk = await staffOf(site, { name: "away-pages", roles: ["support", "finance"], screen: desktop, lang: "en" });
  const { page, context } = desk;
  const { say } = wordsOf("en");
  const fetched = page.waitForResponse(/FinancePage-.*\.js$/);
  await open(page, "/workspace/leads");
  await untilLoaded(page, (await fetched).url());
  await page.route(/\/(api|assets)\//, (route) => route.abort("connectionrefused"));
  await page.getByRole("link", { name: say("workspace.finance") }).click();
  await page.getByRole("heading", { level: 1, name: say("finance.title") }).waitFor();
  await page.getByRole("alert").first().waitFor();
  await context.close();
});

/** Until a module has run, with all that it imports, and every style sheet is there. */
async function untilLoaded(page: Page, module: string): Promise<void> {
  await page.evaluate(`import(${JSON.stringify(module)}).then(() => null)`);
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null),
  );
}

/** Between the box and the lines above and below it, in pixels. */
function gaps(page: Page): Promise<number[]> {
  return page.getByRole("alert").evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    const above = box.previousElementSibling?.getBoundingClientRect().bottom ?? top;
    const below = box.nextElementSibling?.getBoundingClientRect().top ?? bottom;
    return [Math.round(top - above), Math.round(below - bottom)];
  });
}
