import { beforeAll, expect, test } from "vitest";
import { type Booking, bookARoom } from "./booking.ts";
import { disputes } from "./cardTable.ts";
import { axe, open, phone, shot, windowShot } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { comeToPay, payWith, standsAt } from "./payer.ts";
import { enter, type Scene, widerThanWindow } from "./scene.ts";
import { openSite } from "./site.ts";
import { comesToWork, staffOf } from "./staff.ts";
import { allStagings, bothStagings, chooseStagings, desktopEn, phoneEn, phoneZh } from "./stagings.ts";
import { until } from "./until.ts";
import { type Lang, wordsOf } from "./words.ts";

/** Screens that no other story looks at: a partner's enquiry, the kept price, documents, a disputed payment before finance. */

const site = openSite();

/** A PNG. */
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

for (const { screen, lang } of chooseStagings([phoneZh])) {
  const at = `${screen.width} px, ${lang}`;

  test.concurrent(`a partner's enquiry and a kept price fit, ${at}`, () =>
    site.play(screen, lang, async (scene) => {
      const { page, say } = scene;
      const stay = await site.market.stay((rooms) => rooms > 3);
      await open(page, `/places/${stay.home}?partner_id=12`);
      const words = say(scene.narrow ? "property.ask" : "property.enquire_now");
      await page.getByRole("button", { name: words, exact: true }).locator("visible=true").last().click();
      const dialog = page.locator("dialog.modal-dialog");
      await dialog.getByLabel(say("lead.councellor_email")).fill("ana@");
      await dialog.getByLabel(say("lead.councellor_email")).blur();
      await dialog.getByLabel(say("lead.councellor_name")).scrollIntoViewIfNeeded();
      await scene.look("counsellor");

      const { uuid, email } = await site.market.lead(stay);
      const booking_form = { lead_uuid: uuid, inventory_id: stay.inventory_id };
      await site.market.call("POST", "/api/v0/booking_forms", { booking_form });
      await open(page, `/places/${stay.home}/form?lead_uuid=${uuid}`);
      await page.locator(".substep.now").waitFor();
      await page.locator("[data-price-lock]").first().waitFor({ state: "attached" });
      await scene.look("form-price-kept");
      await open(page, "/?login=1");
      await logIn(scene, email);
      await open(page, "/profile/leads");
      await page.getByRole("tab", { name: say("profile.tab_enquired") }).click();
      await page.locator("article.bcard").first().waitFor();
      await scene.look("profile-card");
    }));

  test.concurrent(`documents after the payment fit, ${at}`, () =>
    site.play(screen, lang, async (scene) => {
      const { page, say } = scene;
      const email = `documents.${lang}@example.org`;
      await bookARoom(site.url, email);
      await open(page, "/?login=1");
      await logIn(scene, email);
      await open(page, "/profile/leads");
      await page.locator("article.bcard .bnext .btn-primary").first().click();
      await page.locator(".substep.now").waitFor();
      const files = page.locator("input[type=file]:not([capture])");
      await files.first().setInputFiles({ name: "pass.jpg", mimeType: "image/jpeg", buffer: Buffer.from("<html>") });
      await page.locator("main .err, main .error").first().waitFor();
      await scene.look("document-refused");
      const name = "passport-of-maya-ramos-scanned-in-november-2026.png";
      await files.first().setInputFiles({ name, mimeType: "image/png", buffer: Buffer.from(onePixel, "base64") });
      await page.getByRole("button", { name: say("booking.file_remove") }).waitFor();
      await scene.look("document-sent");
    }));
}

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test.concurrent(`a disputed payment before finance fits, ${screen.width} px, ${lang}`, async () => {
    const payer = await enter({ ...site.stage(screen, lang), isInspected: false });
    const token = await comeToPay(payer, site.market);
    await payWith(payer.page, disputes);
    await standsAt(payer.page, "success");
    const { reference } = await site.market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`);
    const { page, context } = await staffOf(site, { name: `seldom-${lang}`, roles: ["finance"], screen, lang });
    const { say } = wordsOf(lang);
    const evidence = page.getByRole("link", { name: say("finance.evidence_pdf") });
    const dispute = page.getByRole("button", { name: new RegExp(`^${say("finance.kind_dispute_opened")}`) });
    for (const scheme of ["light", "dark"] as const) {
      await page.addInitScript((ground) => localStorage.setItem("latchkey.workspace.ground", ground), scheme);
      await until("the dispute is listed", async () => {
        await open(page, `/workspace/finance?q=${reference}`);
        await page.locator(".fin-t tr").first().waitFor({ state: "attached" });
        return (await dispute.count()) > 0;
      });
      await dispute.first().click();
      await evidence.waitFor();
      await evidence.scrollIntoViewIfNeeded();
      // Both files can be reached: what a drawer cuts off does not make the page wider.
      for (const words of ["finance.evidence_pdf", "finance.evidence_json"]) {
        const link = page.getByRole("link", { name: say(words) });
        await until(`${words} stands within the window`, async () => {
          const box = await link.boundingBox();
          return box !== null && box.x + box.width <= screen.width;
        });
      }
      await shot(page, `finance-disputed-${screen.width}-${lang}-${scheme}`);
      expect(await widerThanWindow(page)).toEqual([]);
      expect(await axe(page)).toEqual([]);
    }
    await Promise.all([context.close(), payer.leave()]);
  });
}

// What is seldom on screen: while something loads, when something broke, and in a window as narrow as any.

const narrowest = { width: 320, height: 640 };
let booking: Booking;

beforeAll(async () => {
  booking = await bookARoom(site.url, "mei.chen@example.com");
});

for (const screen of [phone, narrowest]) {
  test(`the test gateway's page fits a window of ${screen.width} px`, async () => {
    const { page, context } = await site.visit(screen, "en");
    await page.goto("/dev/sandbox");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await windowShot(page, `sandbox-${screen.width}`);
    expect(await widerThanWindow(page)).toEqual([]);
    await context.close();
  });
}

// The refund dialog's foot stands whole in the narrowest window.
test("the refund dialog's foot fits the narrowest window", async () => {
  const { say } = wordsOf("en");
  const { page, context } = await staffOf(site, { name: "narrow", roles: ["finance"], screen: narrowest, lang: "en" });
  await open(page, `/workspace/finance?q=${booking.paymentReference}`);
  await page.getByRole("button", { name: new RegExp(`^${say("finance.kind_captured")}`) }).click();
  await page.getByRole("button", { name: "Refund…" }).click();
  await page.getByLabel(/^Amount in/).fill("1.50");
  // What is missing has a line of its own above the buttons.
  const foot = page.locator(".rf-f:visible");
  // The choices and what follows from them stand above: in the narrowest window one scrolls past them to the buttons.
  await foot.scrollIntoViewIfNeeded();
  const said = await foot.locator(".sub").boundingBox();
  const pressed = await foot.locator(".btn").first().boundingBox();
  await windowShot(page, "refund-320-missing");
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(pressed?.y ?? 0);
  // Nothing is cut by the window's edge.
  const bottom = (pressed?.y ?? 0) + (pressed?.height ?? 0);
  expect(narrowest.height - bottom).toBeGreaterThanOrEqual(8);
  await page.getByText(say("finance.booking_keep")).click();
  await page
    .getByLabel(say("finance.why"), { exact: true })
    .selectOption({ label: say("finance.reason_plans_changed") });
  const button = page.locator(".btn.pri:visible", { hasText: /Refund [A-Z]{3} 1\.50/ });
  await button.scrollIntoViewIfNeeded();
  await windowShot(page, "refund-320");
  await shot(page, "refund-320-whole");
  expect(await widerThanWindow(page)).toEqual([]);
  const cut = await page
    .locator(".btn:visible")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
  expect(cut).toEqual([]);
  expect(await axe(page)).toEqual([]);
  await context.close();
});

for (const { screen, lang } of chooseStagings(bothStagings, allStagings)) {
  // A history on its way is a grey page of its own shape.
  test(`a loading history keeps its shape, ${screen.width} px, ${lang}`, async () => {
    const name = `waits-${screen.width}-${lang}`;
    const { page, context } = await staffOf(site, { name, roles: ["support"], screen, lang });
    await open(page, "/workspace/leads");
    await page.locator("#lead-search").fill(booking.email);
    await page.getByText(booking.reference).first().waitFor();
    await expect.poll(() => page.locator(".leads tbody a").count()).toBe(1);
    let letGo = () => {};
    const held = new Promise<void>((done) => {
      letGo = done;
    });
    await page.route(/\/timeline/, async (route) => {
      await held;
      await route.continue();
    });
    await page.locator(".leads tbody a").click();
    await page.locator(".loading-replay").waitFor();
    await shot(page, `replay-loading-${screen.width}-${lang}`);
    expect(await widerThanWindow(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    letGo();
    await page.locator(".replay.is-now").waitFor();
    await shot(page, `replay-there-${screen.width}-${lang}`);
    await context.close();
  });
}

for (const { screen, lang } of chooseStagings([phoneZh], allStagings)) {
  // A page that broke says so and leads on.
  test(`a broken page leads on, at ${screen.width} px in ${lang}`, async () => {
    const { page, context } = await site.visit(screen, lang);
    const { say } = wordsOf(lang);
    await open(page, "/");
    await page.route(/\/_page\?/, async (route) => {
      const answer: { data: object } = await (await route.fetch()).json();
      const broken = {
        ...answer.data,
        route: "server_error",
        status: 500,
        data: { support_email: "help@x.example" },
      };
      await route.fulfill({ status: 500, json: { ...answer, data: broken } });
    });
    await page.locator("footer a[href='/terms']").click();
    await page.getByRole("heading", { name: say("errors.server_error") }).waitFor();
    await shot(page, `server-error-${screen.width}-${lang}`);
    expect(await widerThanWindow(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await context.close();
  });
}

// Every page of the workspace on a phone: reached, untroubled, and no wider than the window.

const pages = [
  "leads",
  "waitlists",
  "cases",
  "segments",
  "report",
  "finance",
  "provider",
  "books",
  "reconciliation",
  "approvals",
  "read_models",
  "grants",
  "mirror",
  "health",
  "reads",
  "settings",
  "second_step",
  "books?account=deposits",
  "finance?chain=1",
];

/** What lies over a page: opened by its key or its button, looked at, and closed. */
async function looksAtOverlays(scene: Scene): Promise<void> {
  const { page, say, look } = scene;
  const dialog = page.getByRole("dialog");
  const close = async () => {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };
  await open(page, "/workspace/leads");
  await page.locator(".leads tbody tr[aria-selected]").first().waitFor();
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: say("workspace.keys_title") }).waitFor();
  await look("phone-keys");
  await close();
  await page.keyboard.press("Control+k");
  await page.locator(".pal [role=option]").first().waitFor();
  await look("phone-command-list");
  await close();
  await page.keyboard.press("h");
  await page.locator(".past-all").waitFor();
  await page.locator(".leads:not([aria-busy]) tbody tr").first().waitFor();
  await look("phone-earlier");
  await open(page, "/workspace/finance");
  await page.getByRole("button", { name: say("finance.find_person"), exact: true }).click();
  await dialog.getByLabel(say("person_search.email")).waitFor();
  await look("phone-person-search");
  await close();
  await open(page, "/workspace/segments?steps=enquired,paid");
  await page.getByRole("button", { name: say("queues.save_segment") }).click();
  await dialog.getByRole("textbox", { name: say("queues.name") }).waitFor();
  await look("phone-save-segment");
  await close();
}

const looksAtEach = (lang: Lang) => () =>
  site.play(phone, lang, async (scene) => {
    const { page } = scene;
    const { reference } = await bookARoom(site.url, `mei.${lang}@example.com`);
    const context = page.context();
    await comesToWork(site, context, { name: `tours-${lang}`, roles: ["support", "finance", "admin"] });
    for (const place of pages) {
      await open(page, `/workspace/${place}`);
      await page.locator("main#work h1").waitFor();
      await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
      await scene.look(`phone-${place.replace(/\W.*/, "")}`);
    }
    await looksAtOverlays(scene);
    const found = await context.request.get(`/api/v0/workspace/leads?q=${reference}`);
    const { lead_id } = (await found.json()).data.result[0];
    await open(page, `/workspace/leads/${lead_id}`);
    await page.locator(".replay.is-now").waitFor();
    await scene.look("phone-lead");
    for (const [at, pane] of [
      [1, "state"],
      [2, "path"],
    ] as const) {
      await page.locator(".mtabs button").nth(at).click();
      await scene.look(`phone-lead-${pane}`);
    }
    const paid = await context.request.get("/api/v0/workspace/payments/events?kind=captured&limit=1");
    const { payment_id } = (await paid.json()).data.result[0];
    await open(page, `/workspace/finance?payment=${payment_id}`);
    await page.locator(".w-box .w-zero").waitFor();
    await scene.look("phone-dossier");
  });

// English is the longer language.
for (const { lang } of chooseStagings([phoneEn], [phoneEn, phoneZh]))
  test(`every page of the workspace fits a phone, ${lang}`, looksAtEach(lang));
