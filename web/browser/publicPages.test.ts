import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../dev/serve.mjs";
import { axe, desktop, launch, open, phone, shot, visitor, windowShot } from "./chromium.ts";
import { dialogsOutside } from "./scene.ts";
import { allStagings, bothStagings, chooseStagings } from "./stagings.ts";
import { wordsOf } from "./words.ts";

/** The public pages with made-up data: every state of the page, without a catalogue behind it. */

const { say } = wordsOf("en");
const firstPhoto = say("property.open_picture", { n: 1, total: 8, caption: "" }).trim();
const small = { width: 320, height: 640 };
const pages: Record<string, string> = {
  home: "/",
  search: "/places/search/university-college-london?roomType=ensuite_room,studio_room&budget=180-320&moveInMonth=9",
  region: "/places/search/united-kingdom",
  zero: "/places/search/london?roomType=shared_room",
  property: "/places/bloomsbury-row",
  sold_out: "/places/southwark-quay",
  lost: "/no-such-page",
};

let site: { url: string; stop: () => void };
let browser: Awaited<ReturnType<typeof launch>>;

beforeAll(async () => {
  const { port, stop } = await serve();
  site = { url: `http://127.0.0.1:${port}`, stop };
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  site?.stop();
});

const widerThanWindow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

// The narrowest screen is about width alone: one language shows it, the longer one.
for (const { device, screen, lang } of [
  ...chooseStagings(bothStagings, allStagings),
  { device: "small", screen: small, lang: "en" as const },
]) {
  // Every public page is whole, named and quiet.
  test(`public pages are whole and quiet on a ${device} in ${lang}`, async () => {
    for (const [name, path] of Object.entries(pages)) {
      const { page, context, complaints, traffic } = await visitor(browser, site.url, screen, lang);
      await open(page, `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
      await traffic.quiet();
      await shot(page, `public-${name}-${device}-${lang}`);
      expect({ name, axe: await axe(page), complaints, wider: await widerThanWindow(page) }).toEqual({
        name,
        axe: [],
        complaints: [],
        wider: 0,
      });
      await expect.poll(() => page.locator("h1").count()).toBe(1);
      // A bare key on the page is a text that was not loaded.
      const words = await page.locator("#root").textContent();
      expect(words).not.toMatch(/\b(ui|shell|home|search|property|errors)\.[a-z_]+/);
      await context.close();
    }
  });
}

test("a city is found and opened with the keyboard alone", async () => {
  const { page, context, complaints } = await visitor(browser, site.url, desktop, "en");
  await open(page, "/");
  await page.getByRole("combobox").focus();
  await page.keyboard.type("londo");
  await page.getByRole("option", { name: /London United Kingdom/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Student homes in London" }).waitFor();
  await page.waitForURL(/\/places\/search\/london/);
  expect(complaints).toEqual([]);
  await context.close();
});

// Filters count before they are applied, and the address keeps them.
test("filters count before they apply and stay in the address", async () => {
  const { page, context } = await visitor(browser, site.url, desktop, "en");
  await open(page, "/places/search/london");
  await page.getByRole("button", { name: /Filters/ }).click();
  const drawer = page.getByRole("dialog", { name: "Filters" });
  await drawer.getByLabel("Lowest").last().fill("300");
  await drawer.getByRole("button", { name: "Show 8 homes" }).click();
  await page.getByText("8 of 512 homes in London match.").waitFor();
  await page.waitForURL(/budget=300-/);
  expect(await axe(page)).toEqual([]);
  await page.goBack();
  await page.getByText("37 of 512 homes").waitFor();
  await context.close();
});

test("Back brings the longer list and the place in it", async () => {
  const { page, context } = await visitor(browser, site.url, desktop, "en");
  await open(page, "/places/search/london");
  await page.getByRole("link", { name: "Show 10 more" }).scrollIntoViewIfNeeded();
  await page.getByText(say("search.seen", { n: 20, total: 37, all: 37 })).waitFor();
  const link = page.getByRole("link", { name: "Camden Lock House 2", exact: true });
  await link.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Bloomsbury Row" }).waitFor();
  await page.goBack();
  await link.waitFor();
  await page.waitForFunction((top) => Math.abs(window.scrollY - top) < 4, before);
  await context.close();
});

// Pictures turn with the arrow keys, and Escape and Back close them.
test("arrow keys turn pictures, Escape and Back close them", async () => {
  const { page, context } = await visitor(browser, site.url, desktop, "en");
  await open(page, "/places/bloomsbury-row");
  await page.getByRole("button", { name: firstPhoto }).click();
  const gallery = page.getByRole("dialog", { name: say("property.pictures_of", { name: "Bloomsbury Row" }) });
  await gallery.getByText("1 / 8").waitFor();
  await page.keyboard.press("ArrowRight");
  await gallery.getByText("2 / 8").waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await gallery.waitFor({ state: "detached" });
  await page.getByRole("button", { name: say("property.all_pictures", { n: 8 }) }).click();
  await gallery.waitFor();
  await page.goBack();
  await gallery.waitFor({ state: "detached" });
  await page.waitForURL(/\/places\/bloomsbury-row/);
  await context.close();
});

// A dialog opened from the keyboard starts at its first field and gives the focus back.
test("a keyboard-opened dialog focuses its field and returns focus", async () => {
  const { page, context } = await visitor(browser, site.url, desktop, "en");
  await open(page, "/");
  const opener = page.getByRole("button", { name: "Log in" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog.modal-login input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
  await context.close();
});

test("the map and the list point at the same home", async () => {
  const { page, context } = await visitor(browser, site.url, desktop, "en");
  await open(page, "/places/search/london?budget=300-");
  const map = page.getByRole("region", { name: "Map of London" });
  await map.locator(".pinp").first().waitFor();
  const homes = page.locator("[data-home]");
  const shown = await homes.count();
  expect(shown).toBeGreaterThan(5);
  for (let place = 0; place < shown; place += 1) {
    const home = homes.nth(place);
    await home.hover();
    // A pin of its own, not the cluster it lies in.
    const pin = map.locator(".pinp.hot:not(.many)");
    await pin.waitFor();
    await expect.poll(() => map.locator(".pinp.hot").count()).toBe(1);
  }
  await context.close();
});

test("the menu of a phone opens over the page and leads on", async () => {
  const { page, context, complaints } = await visitor(browser, site.url, phone, "en");
  await open(page, "/");
  await page.getByRole("button", { name: "Menu" }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await menu.getByText("Australia", { exact: true }).click();
  expect(await axe(page)).toEqual([]);
  await menu.getByRole("link", { name: "Sydney" }).click();
  await page.waitForURL(/places\/search\/sydney/);
  await menu.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await context.close();
});

/** Every dialog of the public pages: where it is opened, and by what. */
const dialogs: Record<string, [string, (page: Page) => Locator]> = {
  login: ["/", (page) => page.getByRole("button", { name: "Log in", exact: true })],
  menu: ["/", (page) => page.getByRole("button", { name: "Menu" })],
  help: ["/", (page) => page.getByRole("button", { name: "Ask us" })],
  filters: ["/places/search/london", (page) => page.getByRole("button", { name: /Filters/ })],
  map: ["/places/search/london", (page) => page.locator(".mappill")],
  gallery: ["/places/bloomsbury-row", (page) => page.getByRole("button", { name: firstPhoto })],
  enquiry: ["/places/bloomsbury-row", (page) => page.getByRole("button", { name: "Book", exact: true })],
  question: ["/places/bloomsbury-row", (page) => page.getByRole("button", { name: "Ask a question" })],
};

// Every dialog is inside the window, its way out too, at 320, 390, 768 and 1024 px.
test("dialogs and their close buttons fit 320 to 1024 px", async () => {
  const seen = new Set<string>();
  for (const width of [320, 390, 768, 1024]) {
    const { page, context } = await visitor(browser, site.url, { width, height: 800 }, "en");
    for (const [name, [path, opener]] of Object.entries(dialogs)) {
      await open(page, path);
      const button = opener(page).locator("visible=true").first();
      if ((await button.count()) === 0) continue;
      await button.click();
      const dialog = page.locator("dialog[open]").last();
      const out = dialog.getByRole("button", { name: name === "map" ? /^List|Back|Close/ : /^Close/ }).first();
      await out.waitFor();
      const found = async () => {
        const box = await out.boundingBox();
        const isReachable =
          box !== null && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= 800;
        return { width, name, isReachable, outside: await dialogsOutside(page) };
      };
      await expect.poll(found).toEqual({ width, name, isReachable: true, outside: [] });
      if (name === "gallery") await windowShot(page, `gallery-${width}`);
      await out.click();
      await dialog.waitFor({ state: "detached" });
      seen.add(`${name} ${width}`);
    }
    await context.close();
  }
  for (const name of Object.keys(dialogs)) expect([...seen].some((one) => one.startsWith(`${name} `))).toBe(true);
  expect([...seen].filter((one) => one.startsWith("gallery")).length).toBe(4);
});
