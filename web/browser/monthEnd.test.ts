import { expect, test } from "vitest";
import { axe, open, type Screen, shot } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { chooseStagings, phoneZh } from "./stagings.ts";
import { type Lang, wordsOf } from "./words.ts";

/** What auditors keep: no head before the log's first month has ended, and its files afterwards. */

const site = openSite();

const AHEAD_S = 40 * 86_400;

/** Moves the server's clock, so that the month of now has ended; gives the moment for the browser's. */
async function nextMonth(): Promise<number> {
  const body = JSON.stringify({ forward_seconds: AHEAD_S });
  const headers = { "content-type": "application/json" };
  const moved = await fetch(`${site.url}/dev/clock`, { method: "POST", headers, body });
  expect(moved.ok).toBe(true);
  return Date.now() + AHEAD_S * 1000;
}

const savesTheMonthsEnd = (screen: Screen, lang: Lang) => async () => {
  const { say, like } = wordsOf(lang);
  const roles = ["finance"];
  const first = await staffOf(site, { name: `audits-${screen.width}`, roles, screen, lang });
  const { page } = first;
  await open(page, "/workspace/finance?chain=1");
  const month = page.getByLabel(say("finance.month"), { exact: true });
  await month.and(page.locator("[max]")).waitFor();
  await expect.poll(() => month.inputValue()).toBe(await month.getAttribute("max"));
  await month.fill("2020-01");
  await page.getByRole("button", { name: say("finance.month_consistency") }).click();
  await page.getByText(like("finance.month_no_head")).waitFor();
  await shot(page, `month-without-head-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  expect(first.complaints.splice(0).every((one) => one.includes("404"))).toBe(true);
  await month.fill("9999-12");
  await page.getByText(say("finance.month_under_way")).waitFor();
  await expect.poll(() => page.getByRole("button", { name: say("finance.month_head") }).count()).toBe(0);
  expect(first.complaints).toEqual([]);
  await first.context.close();

  const then = await nextMonth();
  const later = await staffOf(site, { name: `audits-later-${screen.width}`, roles, screen, lang });
  await later.page.clock.setFixedTime(then);
  await open(later.page, "/workspace/finance?chain=1");
  const head = later.page.getByRole("button", { name: say("finance.month_head") });
  await head.waitFor();
  await shot(later.page, `month-end-${screen.width}-${lang}`);
  const [download] = await Promise.all([later.page.waitForEvent("download"), head.click()]);
  expect(download.suggestedFilename()).toMatch(/^head-\d{4}-\d{2}-\d{2}\.json$/);
  expect(later.complaints).toEqual([]);
  await later.context.close();
};

for (const { device, screen, lang } of chooseStagings([phoneZh]))
  test(`finance saves a month's end, ${device}, ${lang}`, savesTheMonthsEnd(screen, lang));
