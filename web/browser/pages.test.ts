import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, desktop, open, phone, shot } from "./chromium.ts";
import { Gate } from "./graphWalk.ts";
import { openSite } from "./site.ts";
import { allStagings, bothStagings, chooseStagings } from "./stagings.ts";

const site = openSite();

for (const { device, screen, lang } of chooseStagings(bothStagings, allStagings)) {
  // An address that leads nowhere says so.
  test(`an unknown address says so on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await site.visit(screen, lang);
    const status = await open(page, "/no-such-page");

    expect(status).toBe(404);
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe(lang);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBeTruthy();
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

const homesIn = async (page: Page) => Number(/\d+/.exec((await page.locator(".sum").textContent()) ?? "")?.[0]);

// The list follows the map as it moves, the address keeps the part, and Back gives the whole
// place.
test("the list follows the moving map and Back restores the place", async () => {
  const { page, context, complaints } = await site.visit(desktop, "en");
  await open(page, "/places/search/london");
  const whole = await homesIn(page);
  const map = page.getByRole("region", { name: "Map of London" });
  await map.locator(".pinp").first().waitFor();
  await map.focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("in this part of the map.").waitFor();
  await expect.poll(() => homesIn(page)).toBeLessThan(whole);
  expect(await homesIn(page)).toBeGreaterThan(0);
  await page.waitForURL(/region_bounds_lat1=/);
  expect((await axe(page)).filter((found) => !found.startsWith("target-size"))).toEqual([]);
  expect(complaints).toEqual([]);

  const bar = page.getByRole("region", { name: "Filters" });
  await bar.getByRole("button", { pressed: false }).nth(1).click();
  await page.waitForURL(/(guarantor|available|roomType)=/);
  expect(page.url()).toContain("region_bounds_lat1=");
  await page.goBack();
  await page.goBack();
  await page.getByText(`${whole} homes in London.`).waitFor();
  await page.waitForURL(({ search }) => !search.includes("region_bounds"));

  await page.getByLabel("Search as I move the map").uncheck();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await map.getByRole("button", { name: "Zoom in", exact: true }).click();
  await page.getByRole("button", { name: "Under 1 mile" }).first().click();
  await page.waitForURL(/distance=1609/);
  expect(asked.filter((url) => url.includes("region_bounds"))).toEqual([]);
  await context.close();
});

// A phone's map counts what it shows, and the list takes that over.
test("a phone's map counts its homes and hands them to the list", async () => {
  const { page, context, complaints } = await site.visit(phone, "en");
  await open(page, "/places/search/london");
  await page.getByRole("button", { name: "Map" }).click();
  const map = page.getByRole("dialog", { name: "Map of London" });
  await map.locator(".pinp").first().waitFor();
  const count = map.getByRole("status").first();
  const whole = await count.textContent();
  await map.getByRole("button", { name: "Zoom in", exact: true }).click();
  await expect.poll(() => count.textContent()).not.toBe(whole);
  // A pin stands where its home stands, now and then under a control (WCAG 2.5.8, essential); the list has every home.
  expect((await axe(page)).filter((found) => !found.startsWith("target-size"))).toEqual([]);
  await map.getByRole("button", { name: /^List/ }).click();
  await page.getByText("in this part of the map.").waitFor();
  await page.waitForURL(/region_bounds_lat1=/);
  await page.getByRole("button", { name: "Part of the map", pressed: true }).click();
  await page.getByText("homes in London.").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

// A phone's map has a pin for each card of the list, in step with it.
test("a phone's map has a pin for each card of the list", async () => {
  const { page, context, complaints } = await site.visit(phone, "en");
  // So few homes that some stand alone on the map.
  await open(page, "/places/search/bermondsey-london");
  await page.getByRole("button", { name: "Map" }).click();
  const map = page.getByRole("dialog", { name: "Map of Bermondsey" });
  const chosen = map.locator(".pinp.hot:not(.many)");
  const cards = map.locator("[data-swipe]");
  const nameOf = async (at: number) => (await cards.nth(at).locator(".m").first().textContent()) ?? "";
  for (const at of [0, 1, 2]) {
    await cards.nth(at).evaluate((card) => card.scrollIntoView({ inline: "center", block: "nearest" }));
    const name = await nameOf(at);
    await expect.poll(() => chosen.getAttribute("aria-label")).toContain(name);
    await expect.poll(() => chosen.count()).toBe(1);
  }

  const names = await cards.locator(".m:first-child").allTextContents();
  const single = map.locator(".pinp:not(.many):not(.hot)");
  const labels = await single.evaluateAll((pins) => pins.map((pin) => pin.getAttribute("aria-label") ?? ""));
  const other = labels.findIndex((label) => names.some((name) => label.startsWith(`${name}, `)));
  expect(other, "a home of the list stands alone on the map").toBeGreaterThanOrEqual(0);
  const label = labels[other] ?? "";
  const card = cards.nth(names.findIndex((name) => label.startsWith(`${name}, `)));
  await single.nth(other).click();
  await expect.poll(() => chosen.getAttribute("aria-label")).toBe(label);
  const fromMiddle = () =>
    card.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return Math.abs((left + right) / 2 - window.innerWidth / 2);
    });
  await expect.poll(fromMiddle).toBeLessThan(60);
  expect(complaints).toEqual([]);
  await context.close();
});

// Enter goes to what is typed, not to what an earlier text had found.
test("Enter searches what is typed, not an earlier answer", async () => {
  const { page, context, complaints } = await site.visit(desktop, "en");
  const answers = new Gate();
  await answers.install(page, "GET", /\/search\/suggest/);
  await open(page, "/");
  const search = page.getByRole("combobox").first();
  await search.fill("london");
  await page
    .getByRole("option", { name: /^London/ })
    .first()
    .waitFor();
  answers.hold();
  const asked = page.waitForRequest(/suggest\?.*manchester/);
  await search.fill("manchester");
  await search.press("Enter");
  await asked;
  expect(new URL(page.url()).pathname).toBe("/");
  answers.pass();
  await page.waitForURL(/\/places\/search\/manchester/);

  await open(page, "/");
  answers.cutAll();
  await search.fill("leeds");
  await search.press("Enter");
  await page.getByText(/Places could not be loaded/).waitFor();
  answers.pass();
  await search.press("Enter");
  await page.waitForURL(/\/places\/search\/leeds/);
  // The cut answer is the browser's own complaint.
  expect(complaints.filter((line) => !line.includes("ERR_CONNECTION_RESET"))).toEqual([]);
  await context.close();
});

// A university's map names the areas around it, a country's its seas and cities.
test("maps name a university's areas and a country's seas", async () => {
  const { page, context, complaints } = await site.visit(desktop, "en");
  await open(page, "/places/search/university-college-london");
  await page.locator(".ground .area", { hasText: "King's Cross" }).waitFor({ state: "attached" });
  await open(page, "/places/search/united-kingdom");
  await page.locator(".ground .water", { hasText: "Irish Sea" }).waitFor({ state: "attached" });
  await page.locator(".placep", { hasText: "London" }).waitFor();
  // No room for a plate beside Edinburgh's.
  await page.locator(".ground .town", { hasText: "Glasgow" }).waitFor({ state: "attached" });
  expect(complaints).toEqual([]);
  await context.close();
});

const languageOf = (page: Page) => page.locator("html").getAttribute("lang");

/** Presses the language in the footer and waits for the page in it. */
async function chooseLanguage(page: Page, lang: "en" | "zh"): Promise<void> {
  await page.locator(`.site-foot .lang a[lang="${lang}"]`).click();
  await page.waitForFunction(
    (lang) => document.documentElement.lang === lang && document.documentElement.dataset["ready"] === "true",
    lang,
  );
}

// The language that is pressed stays through links, a reload and the next visit, until another is
// pressed.
test("the chosen language stays through links, reload and return", async () => {
  const { page, context, complaints } = await site.visit(desktop, "en");
  await open(page, "/");
  await expect.poll(() => languageOf(page)).toBe("en");
  await chooseLanguage(page, "zh");
  await page.locator('main a[href="/places/search/london"]').first().click();
  await page.locator(".pcard h2 a").first().click();
  await page.waitForURL((url) => /^\/places\/(?!search)/.test(url.pathname));
  await expect.poll(() => languageOf(page)).toBe("zh");
  await page.reload();
  await expect.poll(() => languageOf(page)).toBe("zh");
  const [kept] = (await context.cookies()).filter(({ name }) => name === "lang");
  const days = ((kept?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(364);
  await page.close();

  const next = await context.newPage();
  await open(next, "/");
  await expect.poll(() => languageOf(next)).toBe("zh");
  await chooseLanguage(next, "en");
  await open(next, "/places/search/london");
  await expect.poll(() => languageOf(next)).toBe("en");
  await open(next, "/?lang=tlh");
  await open(next, "/");
  await expect.poll(() => languageOf(next)).toBe("en");
  expect(complaints).toEqual([]);
  await context.close();
});

// The search says what it takes when it is opened, and keys of an input method leave its answers
// alone.
test("search says what it takes and ignores input-method keys", async () => {
  const { page, context } = await site.visit(phone, "en");
  await open(page, "/");
  const search = page.getByRole("combobox").first();
  await search.focus();
  await expect.poll(() => search.getAttribute("placeholder")).toBe("City, university or property");
  await search.fill("london");
  await page
    .getByRole("option", { name: /^London/ })
    .first()
    .waitFor();
  const compose = (key: string, init: object) =>
    search.evaluate(
      (field, { key, init }) =>
        field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init })),
      { key, init },
    );
  for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
    for (const key of ["ArrowDown", "Escape", "Enter"]) await compose(key, init);
  }
  await expect.poll(() => search.getAttribute("aria-activedescendant")).toBeNull();
  await expect.poll(() => search.getAttribute("aria-expanded")).toBe("true");
  expect(new URL(page.url()).pathname).toBe("/");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => search.getAttribute("aria-activedescendant")).not.toBeNull();
  await context.close();
});

// A hurried scroll to the end of the list loads more of it, and without scripts a link leads on.
test("scrolling to the end loads more, a link does without scripts", async () => {
  const { page, context, complaints } = await site.visit(desktop, "en");
  await open(page, "/places/search/london");
  const cards = page.locator(".pcard");
  const first = await cards.count();
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
  await expect.poll(() => cards.count()).toBeGreaterThan(first);
  expect(complaints).toEqual([]);
  await context.close();

  const printed = await (await fetch(`${site.url}/places/search/london`)).text();
  const [, next = ""] = /<a class="btn btn-quiet" href="([^"]*)"/.exec(printed) ?? [];
  expect(next).toBe("/places/search/london?p=2");
  const homes = (html: string) => [...html.matchAll(/<h2[^>]*><a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
  // A server that is too busy to draw sends the page undrawn: it is asked again.
  let second: (string | undefined)[] = [];
  const asked = async () => {
    second = homes(await (await fetch(site.url + next)).text());
    return second.length;
  };
  await expect.poll(asked).toBeGreaterThan(0);
  expect(second.filter((home) => homes(printed).includes(home))).toEqual([]);
});

// Every pin of a crowded map can be hit: 24 px of it are free, and none is cut by the map's edge or lies under a control.

/** Pins of which less than 24 × 24 px can be pressed within the map, by name. */
function small(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown = [...document.querySelectorAll(".map")].find((one) => one.getBoundingClientRect().width > 0);
    if (!shown) return ["no map"];
    const map = shown.getBoundingClientRect();
    const controls = [...shown.querySelectorAll(".mapctl .icon-btn")].map((one) => one.getBoundingClientRect());
    return [...shown.querySelectorAll(".pinp")].flatMap((pin) => {
      const at = pin.getBoundingClientRect();
      const wide = Math.min(at.right, map.right) - Math.max(at.left, map.left);
      const high = Math.min(at.bottom, map.bottom) - Math.max(at.top, map.top);
      const under = controls.some(
        (one) => at.left < one.right && at.right > one.left && at.top < one.bottom && at.bottom > one.top,
      );
      return wide < 24 || high < 24 || under ? [`${pin.getAttribute("aria-label")} ${wide}×${high} ${under}`] : [];
    });
  });
}

for (const city of ["london", "new-york", "university-college-london"]) {
  for (const screen of [desktop, phone]) {
    test(`every pin of ${city} can be hit, at ${screen.width} px`, async () => {
      const { page, context } = await site.visit(screen, "en");
      await open(page, `/places/search/${city}`);
      if (screen === phone) await page.locator(".mappill").click();
      await page.locator(".map .pinp").locator("visible=true").first().waitFor();
      await expect.poll(() => small(page)).toEqual([]);
      expect(await axe(page)).toEqual([]);
      await page.locator(".mapctl .icon-btn").locator("visible=true").first().click();
      await page.locator(".map .pinp").locator("visible=true").first().waitFor();
      await expect.poll(() => small(page)).toEqual([]);
      expect(await axe(page)).toEqual([]);
      await context.close();
    });
  }
}

// While the next search is on its way only the pictures of the earlier homes are dimmed: their words stay readable.
test("homes of an earlier search can be read until the next answer", async () => {
  const { page, context } = await site.visit(desktop, "en");
  await open(page, "/places/search/london");
  await page.locator(".map .pinp").locator("visible=true").first().waitFor();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  await page.route(/\/_page\?/, async (route) => {
    await answered;
    await route.continue();
  });
  await page.locator(".mapctl .icon-btn").locator("visible=true").first().click();
  await page.locator(".homes.old").waitFor();
  await page
    .locator(".homes.old")
    .evaluate((homes) => Promise.all(homes.getAnimations({ subtree: true }).map(({ finished }) => finished)));
  expect(await axe(page)).toEqual([]);
  answer();
  await page.locator(".homes.old").waitFor({ state: "detached" });
  await context.close();
});

// The API reference is drawn from the served document, by files of this server alone, at every width.

for (const screen of [desktop, phone]) {
  test(`reference lists operations and tries reads, at ${screen.width} px`, async () => {
    const { page, context, complaints } = await site.visit(screen, "en");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto("/docs");
    const operation = page.locator("#operations-regions-list_regions, .opblock-get").first();
    await operation.waitFor();
    await operation.locator(".opblock-summary").click();
    await operation.getByRole("button", { name: "Try it out" }).waitFor();
    await shot(page, `reference-${screen.width}`);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    const elsewhere = asked.filter((url) => !url.startsWith(site.url) && !url.startsWith("data:"));
    expect({ complaints, elsewhere, wider }).toEqual({ complaints: [], elsewhere: [], wider: 0 });
    await context.close();
  });
}
