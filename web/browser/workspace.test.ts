import { readFileSync } from "node:fs";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { type Booking, bookARoom } from "./booking.ts";
import { axe, desktop, open, type Screen, shot, type Visitor } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { allStagings, chooseStagings, desktopEn, phoneEn, phoneZh } from "./stagings.ts";
import { type Lang, wordsOf } from "./words.ts";

const site = openSite();
const { say, like } = wordsOf("en");

/** A row of a payment that was collected. */
const collected = new RegExp(`^${say("finance.kind_captured")}`);

/** Texts that follow each other, with anything in their placeholders and between them. */
const inOrder = (...keys: string[]) => new RegExp(keys.map((key) => like(key).source).join(".*"));

let booking: Booking;

beforeAll(async () => {
  booking = await bookARoom(site.url, "mei.chen@example.com");
});

const staff = (name: string, roles: string[], screen: Screen = desktop, lang: Lang = "en"): Promise<Visitor> =>
  staffOf(site, { name, roles, screen, lang });

for (const { device, screen, lang } of chooseStagings([phoneZh], allStagings)) {
  // Support finds a lead by its e-mail and sees it as it stood.
  test(`support finds a past lead by e-mail, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staff(`support-${device}-${lang}`, ["support"], screen, lang);
    await open(page, "/workspace/leads");
    await page.locator("#lead-search").fill(booking.email);
    await page.getByText(booking.reference).first().waitFor();
    await expect.poll(() => page.locator(".leads tbody tr").count()).toBe(1);
    expect(await page.locator(".leads").textContent()).not.toContain("Mei");
    expect(await axe(page)).toEqual([]);
    await shot(page, `workspace-leads-${screen.width}-${lang}`);

    await page.locator(".leads tbody a").click();
    await page.locator(".replay.is-now").waitFor();
    await page.keyboard.press("Home");
    await page.locator(".past-banner").waitFor();
    const failed = page.locator(".marks .mk.bad");
    await expect.poll(() => failed.count()).toBe(1);
    const declined = await declinedAt(context);
    await page.waitForURL(/\/workspace\/leads\/[\w-]+/);
    await open(page, `${new URL(page.url()).pathname}?v=${declined}`);
    await page.locator(`.ev.cur .n`, { hasText: String(declined) }).waitFor();
    await expect.poll(() => page.locator(".nd.cur").textContent()).toBe(lang === "en" ? "Declined" : "被拒");
    expect(await axe(page)).toEqual([]);
    await shot(page, `workspace-replay-${screen.width}-${lang}`);

    await page.keyboard.press("Escape");
    await page.locator(".replay.is-now").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
}

for (const { device, screen, lang } of chooseStagings([phoneZh], allStagings)) {
  // An administrator sees how far the read models are and builds one anew by keyboard.
  test(`read models are rebuilt by keyboard, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staff(`admin-${device}-${lang}`, ["admin"], screen, lang);
    await open(page, "/workspace/read_models");
    const codes = page.getByRole("article", { name: "referral_code" });
    await codes.waitFor();
    await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(7);
    expect(await axe(page)).toEqual([]);
    await shot(page, `workspace-read-models-${screen.width}-${lang}`);
    const rebuild = codes.getByRole("button", { name: lang === "en" ? "Rebuild" : "重建" });
    await rebuild.focus();
    const isOnTop = () =>
      rebuild.evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === button;
      });
    await expect.poll(isOnTop, { message: "what has the keyboard is not behind the tabs" }).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByText(wordsOf(lang).say("workspace.rm_same")).waitFor();
    await expect.poll(() => rebuild.evaluate((button) => button === document.activeElement)).toBe(true);
    await rollsBack(page, codes, screen, lang);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

// An administrator, who came by the link of the command line, takes a role back, and an open page of its holder stops showing leads.
test("a revoked role ends its holder's open page of leads", async () => {
  const admin = await site.visit(desktop, "en");
  await comesByLink(admin.page);
  const holder = await staff("grants-holder", ["support"], desktop, "en");
  await open(holder.page, "/workspace/leads");
  await open(admin.page, "/workspace/grants");
  const held = admin.page.getByRole("article", { name: /grants-holder@.* · Support/ });
  await held.waitFor();
  expect(await axe(admin.page)).toEqual([]);
  await shot(admin.page, "workspace-grants");
  await held.getByRole("button", { name: like("workspace.grants_revoke_of") }).click();
  const dialog = admin.page.getByRole("dialog");
  await dialog.waitFor();
  expect(await axe(admin.page)).toEqual([]);
  await dialog.getByRole("button", { name: say("workspace.grants_revoke"), exact: true }).click();
  await held.waitFor({ state: "detached" });
  await holder.page.getByText("This account has no workspace role").waitFor();
  expect(admin.complaints).toEqual([]);
  await Promise.all([admin.context.close(), holder.context.close()]);
});

/** The first administrator's way in: the link that `grant` prints, which leaves the address once it is used. */
async function comesByLink(page: Page): Promise<void> {
  const told = await site.run("grant", "--email", "grants-admin@staff.example", "--role", "admin");
  const { pathname, hash } = new URL(/http\S+/.exec(told)?.[0] ?? "");
  await open(page, pathname + hash);
  await page.getByText(say("workspace.link_text", { email: "grants-admin@staff.example" })).waitFor();
  expect(await axe(page)).toEqual([]);
  await shot(page, "workspace-login-link");
  await page.getByRole("button", { name: say("workspace.login") }).click();
  await page.locator("#lead-search").waitFor();
  expect(new URL(page.url()).hash).toBe("");
}

/** The rows of before the rebuild serve again, once the question is answered; cancelling changes nothing. */
async function rollsBack(page: Page, model: Locator, screen: Screen, lang: Lang): Promise<void> {
  const words =
    lang === "en"
      ? { act: "Roll back", no: "Cancel", done: /^Rolled back/ }
      : { act: "回退", no: "取消", done: /^已回退/ };
  const button = model.getByRole("button", { name: words.act });
  const kept = await model.locator("header p").textContent();
  const dialog = page.getByRole("dialog");
  await button.click();
  await dialog.waitFor();
  expect(await axe(page)).toEqual([]);
  await shot(page, `workspace-roll-back-${screen.width}-${lang}`);
  await dialog.getByRole("button", { name: words.no }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => model.locator("header p").textContent()).toBe(kept);
  await button.click();
  await dialog.getByRole("button", { name: words.act }).click();
  await page.getByText(words.done).waitFor();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
}

/** Which event of the history is the bank's no: asked of the API, with the same login. */
async function declinedAt(context: BrowserContext): Promise<number> {
  const leads = await (await context.request.get(`/api/v0/workspace/leads?q=${booking.email}`)).json();
  const lead = leads.data.result[0].lead_id;
  const history = await (await context.request.get(`/api/v0/workspace/leads/${lead}/timeline`)).json();
  return history.data.events.find((event: { failed: boolean; n: number }) => event.failed).n;
}

// Personal data stays masked until shown with a reason, and the look appears in the open history.
test("masked data shows with a reason and the look is recorded", async () => {
  const { page, context, complaints } = await staff("priya.nair", ["support"]);
  await open(page, "/workspace/leads");
  await page.locator(".leads tbody a").first().click();
  await page.locator(".lh .eye").click();
  await page.getByRole("dialog").getByText(say("support.reason_identity")).click();
  await page.getByRole("button", { name: "Show for 15 min" }).dblclick();

  await page.getByRole("heading", { level: 1, name: "Mei Ling Chen" }).waitFor();
  await page.locator(".ev.cur .sent", { hasText: say("support.reason_identity") }).waitFor();
  await expect.poll(() => page.locator(".ev .sent", { hasText: say("support.reason_identity") }).count()).toBe(1);
  await shot(page, "workspace-revealed-1280-en");

  await page.getByRole("button", { name: "Assign to me" }).click();
  await page.locator(".ev.cur", { hasText: "priya.nair" }).waitFor();
  await page.goBack();
  await page.locator(".leads .av.teal").first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("the replay is driven from the keyboard alone", async () => {
  const { page, context } = await staff("keys", ["support"]);
  await open(page, "/workspace/leads");
  // A row of the list itself: while it loads there are rows without leads.
  await page.locator(".leads tbody tr[aria-selected]").first().waitFor();
  await page.keyboard.press("j");
  await page.locator(".leads tbody tr[aria-selected=true]").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".replay.is-now").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.locator(".replay.is-past").waitFor();
  await page.keyboard.press("r");
  await page.getByRole("dialog").locator(".json").waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type(booking.reference);
  await page.getByRole("option").filter({ hasText: booking.reference }).first().waitFor();
  await shot(page, "workspace-palette-1280-en");
  await page.keyboard.press("Enter");
  await page.locator(".replay").waitFor();
  await context.close();
});

for (const { device, screen } of chooseStagings([desktopEn], [desktopEn, phoneEn])) {
  // Finance follows a payment to the last penny and gives part of it back.
  test(`finance follows a payment and refunds part, on a ${device}`, async () => {
    const { page, context, complaints } = await staff(`elena-${device}`, ["finance"], screen);
    await open(page, `/workspace/finance?q=${booking.paymentReference}`);
    await page.locator(".proof", { hasText: like("finance.verified_through") }).waitFor({ timeout: 60_000 });
    await shot(page, `workspace-finance-${screen.width}-en`);
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: collected }).click();
    await page.locator(".w-zero", { hasText: "Balances to zero" }).waitFor();
    await shot(page, `workspace-ledger-${screen.width}-en`);
    expect(await axe(page)).toEqual([]);

    await page.getByRole("button", { name: "Refund…" }).click();
    const dialog = page.locator(".w-box form.dlg");
    await expect.poll(() => dialog.locator("input:checked").count()).toBe(0);
    await dialog.getByText(say("finance.booking_cancel")).click();
    const amount = page.getByLabel(/^Amount in/);
    await amount.fill("1,250");
    await amount.blur();
    await page
      .getByText(say("numbers.two_ways", { field: "Amount", typed: "1,250", first: "1250", second: "1.25" }))
      .waitFor();
    await amount.fill("1,50");
    const then = async () => (await dialog.locator(".then li").allTextContents()).join(" / ");
    const ends = ["finance.then_room_free", "finance.then_booking_ends", "finance.then_end_told"];
    await expect.poll(() => then()).toMatch(inOrder("finance.then_money_back", ...ends));
    await dialog.getByText(say("finance.booking_keep")).click();
    await expect.poll(() => then()).toMatch(inOrder("finance.then_money_back", "finance.then_booking_stays"));
    await page
      .getByLabel(say("finance.why"), { exact: true })
      .selectOption({ label: say("finance.reason_plans_changed") });
    await shot(page, `workspace-refund-${screen.width}-en`);
    expect(await axe(page)).toEqual([]);
    await page.locator(".btn.pri:visible", { hasText: /Refund [A-Z]{3} 1\.50/ }).click();
    await page
      .locator(".w-drawer .pair", { hasText: new RegExp(`${say("finance.kind_refund_acknowledged")} \\D*1\\.50`) })
      .waitFor({ timeout: 120_000 });
    await expect.poll(() => page.locator(".w-zero").textContent()).toContain("0.00");
    expect(complaints).toEqual([]);
    await context.close();
  });
}

test("the export carries the same events and is safe to open", async () => {
  const { page, context } = await staff("export", ["finance"]);
  await open(page, `/workspace/finance?q=${booking.paymentReference}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const csv = readFileSync(await (await downloading).path(), "utf8");
  expect(csv).toContain(booking.paymentReference);
  expect(csv.split("\n").some((line) => /(^|,)"?[=+@]/.test(line))).toBe(false);
  await context.close();
});

test("a page past the end says so and leads to the first one", async () => {
  const { page, context } = await staff("past.the.end", ["finance", "support"]);
  for (const [list, row] of [
    ["finance", ".fin-t tbody tr"],
    ["leads", ".leads tbody tr"],
  ] as const) {
    await open(page, `/workspace/${list}?p=9999`);
    await page.getByRole("heading", { name: say("workspace.past_the_end") }).waitFor();
    await page.getByRole("link", { name: say("workspace.to_first_page") }).click();
    await page.locator(row).first().waitFor();
  }
  await context.close();
});

test("who has no role, or is not logged in, is told what to do", async () => {
  const stranger = await site.visit(desktop, "en");
  await open(stranger.page, "/workspace/leads");
  await stranger.page.getByRole("heading", { name: "Log in to open the workspace" }).waitFor();
  expect(await axe(stranger.page)).toEqual([]);
  await stranger.context.close();

  const plain = await staff("no-role", []);
  await open(plain.page, "/workspace/finance");
  await plain.page.getByRole("heading", { name: "This account has no workspace role" }).waitFor();
  await plain.context.close();

  const support = await staff("only-support", ["support"]);
  await open(support.page, "/workspace/finance");
  await support.page.getByRole("heading", { name: say("workspace.not_yours_title") }).waitFor();
  await expect.poll(() => support.page.getByRole("link", { name: "Finance" }).count()).toBe(0);
  await support.context.close();
});

// Every key is told on request, and a lead is taken and shown from the keyboard.
test("keys are listed on request; a lead is taken by keyboard", async () => {
  const { page, context, complaints } = await staff("all.keys", ["support"]);
  await open(page, "/workspace/leads");
  await page.locator(".leads tbody tr[aria-selected]").first().waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: say("workspace.keys_title") });
  await help.getByText(say("support.key_same_stream")).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });

  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await page.getByRole("dialog").getByText(say("support.reason_identity")).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await page.locator(".leads .av.teal").first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".replay.is-now").waitFor();
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "Assign to me" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

// The books are shown as of a moment, and nothing can be given back from there.
test("the books are shown as of a moment, without refunds", async () => {
  const { page, context, complaints } = await staff("as.of", ["finance"]);
  await open(page, `/workspace/finance?q=${booking.paymentReference}`);
  await page.getByRole("button", { name: collected }).waitFor();
  await page.keyboard.press("t");
  const dialog = page.getByRole("dialog", { name: say("finance.as_of_title") });
  await dialog.getByRole("button", { name: "End of yesterday" }).waitFor();
  expect(await axe(page)).toEqual([]);
  // Not yesterday: the booking is of yesterday where midnight has passed since.
  const earlier = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel("Day", { exact: true }).fill(earlier);
  await dialog.getByRole("button", { name: say("finance.as_of_go") }).click();
  await page.locator(".past-banner").waitFor();
  await page.getByRole("button", { name: collected }).waitFor({ state: "detached" });
  await expect.poll(() => page.locator(".totals").textContent()).toContain("Net, 0 events");
  expect(await axe(page)).toEqual([]);
  await page.getByRole("link", { name: "Export CSV" }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Export CSV" }).getAttribute("href")).toContain("as_of=");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: collected }).waitFor();

  const now = new Date().toISOString();
  await open(page, `/workspace/finance?q=${booking.paymentReference}&asof=${now}`);
  await page.getByRole("button", { name: collected }).click();
  await expect.poll(() => page.getByRole("button", { name: "Refund…" }).isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Where a row stands in the window: what comes in above the list later moves the list's own scroll position, and no row. */
const placeOf = (row: Locator) => row.evaluate((one) => Math.round(one.getBoundingClientRect().top));

// Typing and leaving at once, the filter does not call the visitor back; Back finds the list where it was. An address may carry
// parameters of others.
test("a list is left at once and found again where it was", async () => {
  const { page, context, complaints } = await staff("places", ["support", "finance"], { width: 1280, height: 420 });
  const scrolled = () => page.locator("[data-list-scroll]").evaluate((list) => list.scrollTop);
  // The answer comes in when the list was found again.
  const alert = { data: [{ kind: "stuck_payments", count: 1 }], position: 0 };
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  await page.route(/\/workspace\/alerts$/, async (route) => {
    await answered;
    await route.fulfill({ json: alert });
  });
  await open(page, `/workspace/finance?q=${booking.paymentReference}&utm_source=mail`);
  // Not by its role: it keeps its place behind a dialog too.
  const captured = page.locator(".fin-t button", { hasText: collected });
  await captured.scrollIntoViewIfNeeded();
  const drawn = await placeOf(captured);
  await captured.click();
  await page.getByRole("dialog").waitFor();
  await expect.poll(() => placeOf(captured)).toBe(drawn);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("#audit-search").fill("");
  const lead = page.locator(".fin-t .quiet-link").last();
  // The list is read anew once the search is empty; until then it is too short to scroll.
  const scroll = async () => {
    await lead.scrollIntoViewIfNeeded();
    return scrolled();
  };
  await expect.poll(scroll).toBeGreaterThan(0);
  // Noted by the press itself: until then the list may still move.
  await lead.evaluate((link) => {
    const note = () => {
      document.documentElement.dataset["left"] = String(Math.round(link.getBoundingClientRect().top));
    };
    addEventListener("click", note, { capture: true, once: true });
  });
  await lead.click();
  await page.locator(".replay.is-now").waitFor();
  await page.waitForURL(({ pathname }) => /^\/workspace\/leads\/[\w-]+$/.test(pathname));
  await page.goBack();
  await captured.waitFor();
  const left = Number(await page.locator("html").getAttribute("data-left"));
  await expect.poll(() => placeOf(lead)).toBe(left);
  const position = await scrolled();
  expect(position).toBeGreaterThan(0);
  answer();
  await page.getByRole("heading", { name: say("approvals.alerts") }).waitFor();
  await expect.poll(scrolled).toBeGreaterThan(position);
  await expect.poll(() => placeOf(lead)).toBe(left);
  expect(complaints).toEqual([]);
  await context.close();
});
