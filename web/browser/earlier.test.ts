import { expect, test } from "vitest";
import { axe, desktop, open, phone, type Screen, shot } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { type Lang, wordsOf } from "./words.ts";

/** Finance among the books, and staff before a page as it was (N1). */

const site = openSite();

const stagings = [
  { screen: desktop, lang: "en" as const },
  { screen: phone, lang: "zh" as const },
];

const readsTheBooks = async (screen: Screen, lang: Lang) => {
  const { token } = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
  await site.market.begin(token);
  expect((await site.market.pay(token)).status).toBe("success");
  const name = `books-${screen.width}`;
  const { page, complaints } = await staffOf(site, { name, roles: ["finance"], screen, lang });
  const { say } = wordsOf(lang);
  for (const place of ["books", "reconciliation", "approvals"] as const) {
    await open(page, `/workspace/${place}`);
    await page.getByRole("heading", { level: 1, name: say(`${place}.title`) }).waitFor();
    if (place === "books") await page.getByText(say("books.zero")).first().waitFor();
    if (place === "reconciliation") {
      if (screen === desktop) await page.getByText(say("reconciliation.never")).waitFor();
      await page.getByRole("button", { name: say("reconciliation.run") }).click();
      await page.getByRole("heading", { name: say("reconciliation.checks") }).waitFor();
    }
    await shot(page, `${place}-${screen.width}-${lang}`);
    expect(await axe(page)).toEqual([]);
  }
  expect(complaints).toEqual([]);
  await page.context().close();
};

const looksBack = async (screen: Screen, lang: Lang) => {
  const name = `earlier-${screen.width}`;
  const { page, context, complaints } = await staffOf(site, { name, roles: ["admin"], screen, lang });
  const me = await (await context.request.get("/api/v0/workspace/me")).json();
  const before: number = me.data.log_position;
  await site.market.payment(await site.market.stay((rooms) => rooms > 3));
  await open(page, "/workspace/leads");
  const rows = page.locator("[data-list-scroll] tbody tr, [data-list-scroll] li");
  await rows.first().waitFor();
  const now = await rows.count();
  await page.keyboard.press("h");
  const band = page.locator(".past-all");
  await band.waitFor();
  await band.getByRole("slider").fill(String(before));
  await expect.poll(() => rows.count(), { timeout: 120_000 }).toBe(now - 1);
  await shot(page, `earlier-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(() => rows.count(), { timeout: 120_000 }).toBe(now);
  expect(await band.count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
};

for (const { screen, lang } of stagings) {
  test(`finance reads the books, ${screen.width} ${lang}`, () => readsTheBooks(screen, lang));
  test(`staff look back at the leads, ${screen.width} ${lang}`, () => looksBack(screen, lang));
}
