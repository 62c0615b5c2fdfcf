import { beforeAll, expect, test } from "vitest";
import { type Booking, bookARoom } from "./booking.ts";
import { axe, desktop, open, type Screen, shot, type Visitor } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { allStagings, chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import type { Lang } from "./words.ts";

const site = openSite();
let booking: Booking;

beforeAll(async () => {
  booking = await bookARoom(site.url, "mei.chen@example.com");
});

const staff = (name: string, screen: Screen = desktop, lang: Lang = "en"): Promise<Visitor> =>
  staffOf(site, { name, roles: ["support"], screen, lang });

for (const { device, screen, lang } of chooseStagings([phoneZh], allStagings)) {
  const en = lang === "en";
  // Words are read as a status and a date, a filter is added, and both are kept as a view with its count.
  test(`filters become a view with a count, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staff(`views-${device}-${lang}`, screen, lang);
    await open(page, "/workspace/leads");
    await page.locator("#lead-search").fill(en ? "booked today" : "已预订 今天");
    await page.locator(".w-bar .pill.on", { hasText: en ? "Status" : "状态" }).waitFor();
    await page.locator(".w-bar .pill.on", { hasText: en ? "Came" : "咨询日期" }).waitFor();
    await page.getByText(booking.reference).first().waitFor();
    await page.getByRole("button", { name: en ? "Filters" : "筛选", exact: true }).click();
    await page.locator(".filter-panel").waitFor();
    expect(await axe(page)).toEqual([]);
    await shot(page, `queues-filters-${screen.width}-${lang}`);
    await page.getByRole("button", { name: en ? "Save as a view" : "存为视图" }).click();
    await page.getByRole("textbox", { name: en ? "Name" : "名称" }).fill(`Booked ${device} ${lang}`);
    expect(await axe(page)).toEqual([]);
    await shot(page, `queues-save-${screen.width}-${lang}`);
    await page.getByRole("button", { name: en ? "Save" : "保存", exact: true }).click();
    const view = page.locator(".lead-views .pill.on", { hasText: `Booked ${device} ${lang}` });
    await view.waitFor();
    await expect.poll(() => view.textContent()).toContain("1");
    expect(complaints).toEqual([]);
    await context.close();
  });

  // The report is drawn and read, and a sequence finds the lead that was declined before it paid.
  test(`report and segments show what happened, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staff(`report-${device}-${lang}`, screen, lang);
    await open(page, "/workspace/report");
    await page.locator(".report .rep").first().waitFor();
    expect(await axe(page)).toEqual([]);
    await shot(page, `queues-report-${screen.width}-${lang}`);
    await open(page, "/workspace/segments?steps=declined,paid%3C600");
    await page.getByText(booking.reference).first().waitFor();
    expect(await axe(page)).toEqual([]);
    await shot(page, `queues-segments-${screen.width}-${lang}`);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

for (const { device, screen, lang } of chooseStagings([desktopEn], allStagings)) {
  const en = lang === "en";
  // Two colleagues at one lead see each other; who writes is named to the other.
  test(`colleagues at one lead see each other, on a ${device} in ${lang}`, async () => {
    const one = await staff(`one-${device}-${lang}`, screen, lang);
    const other = await staff(`other-${device}-${lang}`, screen, lang);
    for (const { page } of [one, other]) {
      await open(page, `/workspace/leads?q=${booking.reference}`);
      await page.locator(".leads tbody a").first().click();
      await page.locator(".replay").waitFor();
    }
    await one.page.locator(".presence", { hasText: `other-${device}-${lang}` }).waitFor();
    await other.page.locator(".presence", { hasText: `one-${device}-${lang}` }).waitFor();
    await other.page.locator(".story summary").click();
    await other.page.getByRole("button", { name: en ? "Write to the student" : "写给学生" }).click();
    await other.page.locator("textarea").first().focus();
    await one.page.locator(".presence.warn").waitFor();
    await one.page.getByRole("button", { name: en ? "Write to the student" : "写给学生" }).click();
    await one.page.getByRole("dialog").locator(".presence.warn").waitFor();
    expect(await axe(one.page)).toEqual([]);
    await shot(one.page, `queues-presence-${screen.width}-${lang}`);
    await other.context.close();
    await expect.poll(() => one.page.locator(".presence").count()).toBe(0);
    expect(one.complaints).toEqual([]);
    await one.context.close();
  });
}

// A new lead does not move the rows under the reader's hand: it waits above them.
test("a new lead waits above the list until it is asked for", async () => {
  const { page, context, complaints } = await staff("waits");
  await open(page, "/workspace/leads");
  await page.getByText(booking.reference).first().waitFor();
  const before = await page.locator(".leads tbody tr").count();
  await bookARoom(site.url, "jo.doe@example.com");
  await page.locator(".new-rows button").waitFor();
  expect(await page.locator(".leads tbody tr").count()).toBe(before);
  await page.locator(".new-rows button").click();
  await expect.poll(() => page.locator(".leads tbody tr").count()).toBe(before + 1);
  expect(complaints).toEqual([]);
  await context.close();
});
