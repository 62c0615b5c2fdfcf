import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, desktop, open, phone, shot } from "./chromium.ts";
import { press, reach, type } from "./keyboard.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { until } from "./until.ts";
import { wordsOf } from "./words.ts";

/** The face of the house in the workspace: drafted beside its preview, published, and brought back. */

const site = openSite();

const { say } = wordsOf("en");

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

async function looksWell(page: Page, name: string): Promise<void> {
  expect(await axe(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await shot(page, `workspace-${name}`);
}

/** The colour of buttons on the page that is open. */
const readAct = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--act").trim().toUpperCase());

// Nothing here clicks: keys alone draft, publish and bring back.
test("name and colour are published and shown on the home page", async () => {
  const { page, context, complaints } = await staffOf(site, {
    name: "brand-keys",
    roles: ["admin"],
    screen: desktop,
    lang: "en",
  });
  await open(page, "/workspace/brand");
  await type(page, field(page, say("brand.value_name")), "Quayside");
  // The preview follows before anything is saved.
  await page
    .getByRole("img", { name: say("brand.preview_said", { view: say("brand.view_home"), name: "Quayside" }) })
    .waitFor();
  await type(page, field(page, say("brand.value_main_colour")), "#7A2E5D");
  await page
    .getByRole("list", { name: say("brand.contrast") })
    .getByRole("listitem")
    .first()
    .waitFor();
  await page.getByText(say("brand.unsaved", { n: 2 }), { exact: true }).waitFor();
  await looksWell(page, "brand-draft");
  await press(page, button(page, say("brand.save")));
  await page.getByText(say("brand.draft", { n: 2 }), { exact: true }).waitFor();
  // A colour on which nobody can read is named with the one that takes its place.
  await type(page, field(page, say("brand.value_button_colour")), "#E8A33D");
  await page.locator(".brand-swatch").waitFor();
  await looksWell(page, "brand-contrast");
  await type(page, field(page, say("brand.value_button_colour")), "#7A2E5D");
  await page.locator(".brand-swatch").waitFor({ state: "detached" });
  await press(page, button(page, say("brand.publish_ask")));
  const dialog = page.getByRole("dialog");
  await dialog.getByText(say("brand.then_pages"), { exact: true }).waitFor();
  await reach(page, dialog.getByLabel(say("brand.why")));
  await page.keyboard.type("Autumn look");
  await looksWell(page, "brand-publish");
  await press(page, dialog.getByRole("button", { name: say("brand.publish"), exact: true }));
  await page.locator(".toast", { hasText: say("brand.published_done", { n: 1 }) }).waitFor();

  const reader = await site.visit(desktop, "en");
  const named = reader.page.getByRole("link", { name: say("shell.home_link", { brand: "Quayside" }) });
  // Pages follow within two seconds.
  await until("the home page shows it", async () => {
    await open(reader.page, "/");
    return (await named.count()) > 0;
  });
  expect(await readAct(reader.page)).toBe("#7A2E5D");

  await open(page, "/workspace/brand?view=history");
  await page.getByText(say("brand.reason_said", { reason: "Autumn look" })).waitFor();
  await looksWell(page, "brand-history");
  expect([...complaints, ...reader.complaints]).toEqual([]);
  await Promise.all([context.close(), reader.context.close()]);
});

test("what a colleague saved meanwhile is named, to choose from", async () => {
  const seat = (name: string, screen: typeof desktop) => staffOf(site, { name, roles: ["admin"], screen, lang: "en" });
  const one = await seat("brand-one", desktop);
  const other = await seat("brand-other", phone);
  await open(one.page, "/workspace/brand");
  await open(other.page, "/workspace/brand");
  const name = say("brand.value_name");
  await field(one.page, name).fill("Harbour");
  await field(other.page, name).fill("Wharf");
  await button(one.page, say("brand.save")).click();
  await one.page.locator(".toast", { hasText: say("brand.saved") }).waitFor();
  await button(other.page, say("brand.save")).click();
  await other.page.getByText(say("brand.overtaken_value", { value: name, now: "Harbour" })).waitFor();
  expect(await field(other.page, name).inputValue()).toBe("Wharf");
  await looksWell(other.page, "brand-overtaken-390");
  await button(other.page, say("brand.keep_mine")).click();
  await button(other.page, say("brand.save")).click();
  await other.page.locator(".toast", { hasText: say("brand.saved") }).waitFor();
  expect([...one.complaints, ...other.complaints]).toEqual([]);
  await Promise.all([one.context.close(), other.context.close()]);
});

test("a file that is no picture is refused beside its field", async () => {
  const { page, context, complaints } = await staffOf(site, {
    name: "brand-files",
    roles: ["admin"],
    screen: desktop,
    lang: "en",
  });
  await open(page, "/workspace/brand");
  await page.locator("summary", { hasText: say("brand.part_logo") }).click();
  const logo = page.locator('input[type="file"]').first();
  await logo.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
  await page.getByRole("alert").filter({ hasText: "notes.txt" }).waitFor();
  const drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18"/></svg>';
  await logo.setInputFiles({ name: "mark.svg", mimeType: "image/svg+xml", buffer: Buffer.from(drawn) });
  await page.getByRole("img", { name: say("brand.picture_alt", { value: say("brand.value_logo") }) }).waitFor();
  await looksWell(page, "brand-logo");
  expect(complaints).toEqual([]);
  await context.close();
});
