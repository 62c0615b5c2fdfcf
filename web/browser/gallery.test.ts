import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../dev/serve.mjs";
import { axe, desktop, launch, open, phone, shot, visitor } from "./chromium.ts";
import { bothStagings } from "./stagings.ts";
import { wordsOf } from "./words.ts";

/** Pictures of homes, with made-up data: the cards that turn them, and the gallery of photos, plans and recordings. */

const { say } = wordsOf("en");
const home = "/places/portland-court";
const title = say("property.photos_of", { name: "Portland Court" });

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

/** Servers that the page asks, beside ours. */
function othersAsked(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== site.url) asked.push(origin);
  });
  return asked;
}

/** The sum of all that moved on the page by itself since it was opened. */
const movedBy = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((told) => {
        let moved = 0;
        const watch = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) moved += (entry as unknown as { value: number }).value;
        });
        watch.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => told(moved)));
      }),
  );

const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement);
const picturesIn = (card: Locator) => card.locator(".slides img").count();
const dotAt = (card: Locator) => card.locator(".dots i").evaluateAll((dots) => dots.findIndex((dot) => dot.className));

test("a card's pictures are turned from the keyboard", async () => {
  const { page, context, complaints, traffic } = await visitor(browser, site.url, desktop, "en");
  await open(page, "/places/search/london");
  await traffic.quiet();
  const card = page.locator(".pcard").first();
  expect(await card.locator(".dots i").count()).toBe(5);
  // The other four are loaded for nobody who only passes by.
  expect(await picturesIn(card)).toBe(1);
  const next = card.getByRole("button", { name: say("ui.next_picture", { name: "Bloomsbury Row" }) });
  const previous = card.getByRole("button", { name: say("ui.previous_picture", { name: "Bloomsbury Row" }) });
  await next.focus();
  expect(await picturesIn(card)).toBe(5);
  expect(await previous.getAttribute("aria-disabled")).toBe("true");
  for (const place of [1, 2, 3, 4]) {
    await page.keyboard.press("Enter");
    await expect.poll(() => dotAt(card)).toBe(place);
  }
  // At the last one the arrow rests and keeps the focus.
  expect(await next.getAttribute("aria-disabled")).toBe("true");
  expect(await isFocused(next)).toBe(true);
  await page.keyboard.press("Enter");
  await previous.press("Enter");
  await expect.poll(() => dotAt(card)).toBe(3);
  expect(await axe(page)).toEqual([]);
  expect(await movedBy(page)).toBe(0);
  // A picture leads where its card leads.
  await card.locator(".slides").click({ position: { x: 150, y: 60 } });
  await page.waitForURL(/\/places\/bloomsbury-row/);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Draws a thumb over a picture, from its right to its left. */
async function swipeLeft(page: Page, over: Locator): Promise<void> {
  const box = await over.boundingBox();
  if (!box) throw new Error("there is nothing to swipe");
  const thumb = await page.context().newCDPSession(page);
  const at = (share: number) => [{ x: box.x + box.width * share, y: box.y + box.height / 2 }];
  await thumb.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0.85) });
  for (let share = 0.8; share > 0.15; share -= 0.05)
    await thumb.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(share) });
  await thumb.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

test("a card's pictures are swiped, and a tap follows its link", async () => {
  const { page, context, complaints } = await visitor(browser, site.url, phone, "en");
  await open(page, "/places/search/london");
  const card = page.locator(".pcard").first();
  await card.scrollIntoViewIfNeeded();
  await swipeLeft(page, card.locator(".slides"));
  await expect.poll(() => dotAt(card)).toBe(1);
  expect(page.url()).toMatch(/search\/london/);
  expect(await picturesIn(card)).toBe(5);
  await card.locator(".slides").tap({ position: { x: 100, y: 60 } });
  await page.waitForURL(/\/places\/bloomsbury-row/);
  expect(complaints).toEqual([]);
  await context.close();
});

for (const { device, screen, lang } of bothStagings) {
  const words = wordsOf(lang);

  test(`the gallery is whole by kind on a ${device} in ${lang}`, async () => {
    const { page, context, complaints, traffic } = await visitor(browser, site.url, screen, lang);
    await open(page, `${home}?lang=${lang}`);
    await page.locator(".gal .all").click();
    const gallery = page.getByRole("dialog", { name: words.say("property.photos_of", { name: "Portland Court" }) });
    const pictures = gallery.locator(".gallery-all li");
    await expect.poll(() => pictures.count()).toBe(8);
    await traffic.quiet();
    expect(await axe(page)).toEqual([]);
    await shot(page, `gallery-all-${device}-${lang}`);
    // Tabs are there for what there is, in its order, and no others.
    const kinds = ["all", "room", "exterior", "kitchen", "bathroom", "common", "plan", "video", "tour"] as const;
    const tabs = gallery.locator(".gallery-head .chip");
    expect(await tabs.allTextContents()).toEqual(
      kinds.map((kind) => `${words.say(`property.kind_${kind}`)}${kind === "all" ? 8 : 1}`),
    );
    await tabs.nth(6).click();
    await expect.poll(() => pictures.count()).toBe(1);
    await pictures.first().getByRole("button").click();
    await gallery.getByText("1 / 1").waitFor();
    await gallery.getByRole("img", { name: "Floor plan of flat 4, seen from the door" }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shot(page, `gallery-plan-${device}-${lang}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

test("a gallery is turned by arrow keys, and focus comes back", async () => {
  const { page, context, complaints } = await visitor(browser, site.url, desktop, "en");
  await open(page, home);
  const tile = page.locator(".gal .tile").first();
  await tile.focus();
  await page.keyboard.press("Enter");
  const gallery = page.getByRole("dialog", { name: title });
  await gallery.getByText("1 / 8").waitFor();
  // Back from the first is the last: a tour, whose button may go with it.
  await page.keyboard.press("ArrowLeft");
  await gallery.getByText("8 / 8").waitFor();
  await gallery.getByRole("button", { name: say("property.start_tour", { platform: "Matterport" }) }).focus();
  await page.keyboard.press("ArrowRight");
  await gallery.getByText("1 / 8").waitFor();
  await page.keyboard.press("ArrowRight");
  await gallery.getByText("2 / 8").waitFor();
  await gallery.getByRole("button", { name: say("property.show_all") }).click();
  // Side by side, the focus is on the one that was looked at.
  await expect.poll(() => isFocused(gallery.locator("[data-item='1']"))).toBe(true);
  await page.keyboard.press("Escape");
  await gallery.waitFor({ state: "detached" });
  await expect.poll(() => isFocused(tile)).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a video comes from its platform when it is pressed", async () => {
  const { page, context, complaints } = await visitor(browser, site.url, phone, "en");
  await context.route("https://www.youtube-nocookie.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Film</title><p>Film" }),
  );
  const asked = othersAsked(page);
  await open(page, home);
  await page.locator(".gal .all").click();
  const gallery = page.getByRole("dialog", { name: title });
  await gallery.getByRole("button", { name: /A walk through the house$/ }).click();
  const play = gallery.getByRole("button", { name: say("property.play_video", { platform: "YouTube" }) });
  await play.waitFor();
  await swipeLeft(page, gallery.locator(".gallery-stage"));
  await gallery.getByText("8 / 8").waitFor();
  await page.keyboard.press("ArrowLeft");
  await play.waitFor();
  expect(asked).toEqual([]);
  const elsewhere = gallery.getByRole("link", { name: say("property.open_elsewhere", { platform: "YouTube" }) });
  expect(await elsewhere.getAttribute("rel")).toBe("noopener noreferrer");
  await play.click();
  const frame = gallery.locator("iframe");
  await page.frameLocator("dialog iframe").getByText("Film").waitFor();
  expect(await frame.getAttribute("title")).toBe("A walk through the house");
  expect(await frame.getAttribute("sandbox")).not.toContain("top-navigation");
  expect([...new Set(asked)]).toEqual(["https://www.youtube-nocookie.com"]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a home without a picture has calm ground", async () => {
  const { page, context, traffic } = await visitor(browser, site.url, desktop, "en");
  await open(page, "/places/goodge-place");
  await traffic.quiet();
  expect(await page.locator(".ptop img").count()).toBe(0);
  await page.getByRole("heading", { level: 1, name: "Goodge Place Rooms" }).waitFor();
  await open(page, home);
  await page.locator(".gal .all").click();
  const lounge = page.getByRole("dialog").locator("li", { hasText: "Lounge" });
  const before = await lounge.boundingBox();
  await expect.poll(() => lounge.locator("img.missing").count()).toBe(1);
  expect(await lounge.locator("img").isVisible()).toBe(false);
  expect(await lounge.boundingBox()).toEqual(before);
  await context.close();
});
