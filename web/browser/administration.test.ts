import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { codeOf } from "./authenticator.ts";
import { axe, open, type Screen, shot } from "./chromium.ts";
import { openSite } from "./site.ts";
import { mailedCode, staffOf } from "./staff.ts";
import { allStagings, bothStagings, chooseStagings, phoneZh } from "./stagings.ts";
import { type Lang, wordsOf } from "./words.ts";

/** What administrators do: an export with its reason, looks at personal data, settings and maintenance, health, a second login step. */

const site = openSite();

/** By how many seconds the server's clock was put forward. */
let ahead = 0;

for (const { device, screen, lang } of chooseStagings(bothStagings, allStagings)) {
  const { say } = wordsOf(lang);
  const staff = (name: string, role: string) =>
    staffOf(site, { name: `${name}-${device}-${lang}`, roles: [role], screen, lang });
  const seen = async (page: Page, name: string) => {
    expect(await axe(page)).toEqual([]);
    await shot(page, `${name}-${screen.width}-${lang}`);
  };

  test(`an export is asked why and is listed, on a ${device} in ${lang}`, async () => {
    const desk = await staff("exports", "support");
    const lead = await enquired(desk.context, `export.${device}.${lang}@example.com`);
    await open(desk.page, `/workspace/leads/${lead}`);
    await desk.page.getByRole("button", { name: say("support.export"), exact: true }).waitFor();
    await desk.page.keyboard.press("x");
    const dialog = desk.page.getByRole("dialog");
    await dialog.getByLabel(say("export.why")).fill("The student asked for a copy");
    await seen(desk.page, "workspace-export");
    const file = desk.page.waitForEvent("download");
    await dialog.getByRole("button", { name: say("export.go"), exact: true }).click();
    expect((await file).suggestedFilename()).toMatch(/-history\.pdf$/);
    const admin = await staff("reads", "admin");
    await open(admin.page, `/workspace/reads?lead=${lead}`);
    await admin.page.getByText("The student asked for a copy").waitFor();
    await seen(admin.page, "workspace-reads");
    expect([...desk.complaints, ...admin.complaints]).toEqual([]);
    await Promise.all([desk.context.close(), admin.context.close()]);
  });

  test(`a setting is changed and undone, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staff("settings", "admin");
    await open(page, "/workspace/settings");
    const one = page.getByRole("article", { name: say("admin.setting_stuck_minutes"), exact: true });
    await one.getByRole("textbox").fill("45");
    await one.getByRole("button", { name: say("admin.save"), exact: true }).click();
    await one.getByText(say("admin.source_here")).first().waitFor();
    await seen(page, "workspace-settings");
    await one.getByRole("button", { name: say("admin.give_back", { value: "60" }), exact: true }).click();
    await one.getByText(say("admin.source_default")).first().waitFor();
    await one.getByRole("textbox").fill("0");
    await one.getByRole("button", { name: say("admin.save"), exact: true }).click();
    await one.getByRole("alert").waitFor();
    expect(complaints.filter((said) => !said.includes("422"))).toEqual([]);
    await context.close();
  });

  test(`health names its parts, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staff("health", "support");
    await open(page, "/workspace/health");
    await page.getByRole("heading", { name: say("admin.readers"), exact: true }).waitFor();
    await page.getByText(say("admin.provider_reachable"), { exact: true }).waitFor();
    await seen(page, "workspace-health");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test(`a second step is enrolled and asked for, on a ${device} in ${lang}`, async () => {
    const name = "second";
    const { page, context } = await staff(name, "support");
    await open(page, "/workspace/second_step");
    // The next code is sent half a minute after the last one, which logged in.
    await waitHalfAMinute(context);
    await page.getByRole("button", { name: say("second_step.begin"), exact: true }).click();
    await page.getByRole("img", { name: say("second_step.picture") }).waitFor();
    await seen(page, "workspace-second-step");
    const secret = (await page.locator("code.mono").textContent()) ?? "";
    await page.getByLabel(say("second_step.code"), { exact: true }).fill(codeOf(secret, ahead));
    const mailed = await mailedCode(context.request, `${name}-${device}-${lang}`);
    await page.getByLabel(say("second_step.mail_code"), { exact: true }).fill(mailed);
    await page.getByRole("button", { name: say("second_step.confirm"), exact: true }).click();
    const recovery = (await page.locator(".codes li").first().textContent()) ?? "";
    await seen(page, "workspace-recovery-codes");
    await page.getByRole("button", { name: say("second_step.kept"), exact: true }).click();
    await waitHalfAMinute(context);
    const again = await staff(name, "support");
    await open(again.page, "/workspace/leads");
    await again.page.getByRole("heading", { name: say("second_step.gate_title"), exact: true }).waitFor();
    await seen(again.page, "workspace-second-gate");
    await again.page.getByRole("textbox").fill(recovery);
    await again.page.getByRole("button", { name: say("second_step.go_on"), exact: true }).click();
    await again.page.locator("#lead-search").waitFor();
    await Promise.all([context.close(), again.context.close()]);
  });
}

async function waitHalfAMinute(context: BrowserContext): Promise<void> {
  await context.request.post("/dev/clock", { data: { forward_seconds: 31 } });
  ahead += 31;
}

/** The id of a lead that was just sent. */
async function enquired(context: BrowserContext, email: string): Promise<string> {
  const lead = {
    state: "created",
    user_details: { name: "Mei Lin", email, phone: "+447700900123" },
    data: { university: "University of Leeds" },
  };
  const sent = await context.request.post("/api/v0/leads/", { data: { lead } });
  expect(sent.status()).toBe(201);
  return (await sent.json()).data.id;
}

// What auditors keep: no head before the log's first month has ended, and its files afterwards.

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
