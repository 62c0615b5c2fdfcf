import { beforeAll, expect, test } from "vitest";
import { type Booking, bookARoom } from "./booking.ts";
import { axe, open, phone, shot, windowShot } from "./chromium.ts";
import { widerThanWindow } from "./scene.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { allStagings, bothStagings, chooseStagings, phoneZh } from "./stagings.ts";
import { wordsOf } from "./words.ts";

/** What is seldom on screen: while something loads, when something broke, and in a window as narrow as any. */

const site = openSite();
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
  const { page, context } = await staffOf(site, { name: "narrow", roles: ["finance"], screen: narrowest, lang: "en" });
  await open(page, `/workspace/finance?q=${booking.paymentReference}`);
  await page.getByRole("button", { name: /^Captured/ }).click();
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
  await page.getByText("Give money back and keep the booking").click();
  await page.getByLabel("Why?").selectOption({ label: "Student changed plans" });
  const button = page.locator(".btn.pri:visible", { hasText: "Refund 1.50" });
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
