import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { type Booking, bookARoom } from "./booking.ts";
import { axe, desktop, open, phone, type Screen, shot, type Visitor } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { allStagings, bothStagings, chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import { type Lang, wordsOf } from "./words.ts";

const site = openSite();
let booking: Booking;

beforeAll(async () => {
  booking = await bookARoom(site.url, "mei.chen@example.com");
});

const staff = (name: string, screen: Screen = desktop, lang: Lang = "en"): Promise<Visitor> =>
  staffOf(site, { name, roles: ["support"], screen, lang });

for (const { device, screen, lang } of chooseStagings([phoneZh], allStagings)) {
  const en = lang === "en";
  const { say } = wordsOf(lang);
  // Words are read as a status and a date, a filter is added, and both are kept as a view with its count.
  test(`filters become a view with a count, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staff(`views-${device}-${lang}`, screen, lang);
    await open(page, "/workspace/leads");
    await page.locator("#lead-search").fill(en ? "booked today" : "已预订 今天");
    await page.locator(".w-bar .pill.on", { hasText: en ? "Status" : "状态" }).waitFor();
    await page.locator(".w-bar .pill.on", { hasText: say("queues.part_created") }).waitFor();
    await page.getByText(booking.reference).first().waitFor();
    await page.getByRole("button", { name: en ? "Filters" : "筛选", exact: true }).click();
    await page.locator(".filter-panel").waitFor();
    expect(await axe(page)).toEqual([]);
    await shot(page, `queues-filters-${screen.width}-${lang}`);
    await page.getByRole("button", { name: say("queues.save") }).click();
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
  const { say } = wordsOf(lang);
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
    await other.page.getByRole("button", { name: say("support.write") }).click();
    await other.page.locator("textarea").first().focus();
    await one.page.locator(".presence.warn").waitFor();
    await one.page.getByRole("button", { name: say("support.write") }).click();
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

async function enquire(email: string): Promise<string> {
  const lead = {
    state: "created",
    user_details: { name: "Mei Lin", email, phone: "+447700900123" },
    data: { university: "University of Leeds" },
  };
  const answer = await fetch(`${site.url}/api/v0/leads/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ lead }),
  });
  const { data } = (await answer.json()) as { data: { id: string; reference: string } };
  return data.reference;
}

for (const { device, screen, lang } of chooseStagings([phoneZh], allStagings)) {
  // Support closes several leads at once and takes it back, then closes one by its keys.
  test(`leads are closed at once and one by keys, on a ${device} in ${lang}`, async () => {
    const mail = `mei.acts.${device}.${lang}@example.com`;
    const references = [await enquire(mail), await enquire(mail.replace("mei", "jo"))];
    const { say } = wordsOf(lang);
    const who = { name: `acts-${device}-${lang}`, roles: ["support"], screen, lang };
    const { page, context, complaints } = await staffOf(site, who);
    await open(page, "/workspace/leads");
    for (const reference of references) {
      await page.getByRole("checkbox", { name: new RegExp(reference) }).check();
    }
    const bar = page.getByRole("region", { name: say("acts.bulk") });
    const last = page.getByRole("checkbox").last();
    // The last one may have the focus since before the bar was there.
    await page.getByRole("checkbox").first().focus();
    await last.focus();
    const reachesBelow = async (): Promise<number> => {
      const [box, over] = [await last.boundingBox(), await bar.boundingBox()];
      return (box?.y ?? Infinity) + (box?.height ?? 0) - (over?.y ?? 0);
    };
    await expect.poll(reachesBelow, { message: "a focused tick box is not under the bar" }).toBeLessThanOrEqual(0);
    expect(screen === phone ? await cutLines(page) : [], "cards of leads wrap").toEqual([]);
    await bar.getByLabel(say("acts.bulk_act"), { exact: true }).selectOption("close");
    await bar.getByLabel(say("acts.cause"), { exact: true }).selectOption("no_answer");
    await bar.getByRole("button", { name: say("acts.bulk_go", { n: 2 }) }).click();
    await bar.getByText(say("acts.bulk_done", { n: 2, all: 2 })).waitFor();
    // The bar lies over the list: at the list's end it covers no row in part.
    await page
      .getByRole("checkbox")
      .last()
      .evaluate((box) => box.scrollIntoView({ block: "start" }));
    expect(await axe(page)).toEqual([]);
    await shot(page, `workspace-bulk-${screen.width}-${lang}`);
    await bar.getByRole("button", { name: say("acts.undo") }).click();
    await bar.getByText(say("acts.bulk_done", { n: 2, all: 2 })).waitFor({ state: "detached" });

    await page.getByRole("link", { name: new RegExp(references[0] ?? "") }).click();
    await page.locator(".replay.is-now").waitFor();
    await page
      .locator(".lh")
      .getByRole("button", { name: say("support.acts") })
      .waitFor();
    await page.keyboard.press("m");
    const menu = page.getByRole("list", { name: say("acts.menu") });
    await menu.waitFor();
    expect(await axe(page)).toEqual([]);
    await shot(page, `workspace-acts-${screen.width}-${lang}`);
    await page.keyboard.press("c");
    await page.getByLabel(say("acts.cause"), { exact: true }).selectOption("booked_elsewhere");
    await page.locator(".dlg button[type=submit]").click();
    await page
      .getByText(say("timeline.lead_acted.closed.booked_elsewhere", { reason: "" }).trim())
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
}

// What the workspace says while the server is out of reach, and afterwards.

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

/** Lines of the cards of leads that do not fit. */
function cutLines(page: Page): Promise<string[]> {
  return page
    .locator(".leads td > div")
    .evaluateAll((all) =>
      all.filter((line) => line.scrollWidth > line.clientWidth).map(({ textContent }) => textContent ?? ""),
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
