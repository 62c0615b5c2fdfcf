import { expect, test } from "vitest";
import { axe, open, phone, shot } from "./chromium.ts";
import { openSite } from "./site.ts";
import { allStagings, bothStagings, chooseStagings } from "./stagings.ts";
import { wordsOf } from "./words.ts";

/** Pages of words: they are whole, help answers in place, and a form says that it arrived. */

const site = openSite();

const pages = ["/how-it-works", "/partner", "/help", "/blog", "/blog/before-you-pay", "/sitemap", "/cookies"];

for (const { device, screen, lang } of chooseStagings(bothStagings, allStagings)) {
  test(`pages of words are whole on a ${device} in ${lang}`, async () => {
    for (const path of pages) {
      const { page, context, complaints } = await site.visit(screen, lang);
      await open(page, `${path}?lang=${lang}`);
      await expect.poll(() => page.locator("h1").count()).toBe(1);
      await shot(page, `words-${path.slice(1).replace("/", "-")}-${device}-${lang}`);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect({ path, axe: await axe(page), complaints, wider }).toEqual({ path, axe: [], complaints: [], wider: 0 });
      await context.close();
    }
  });
}

test("help answers in place and leads to a person", async () => {
  const { say } = wordsOf("en");
  const { page, context, complaints } = await site.visit(phone, "en");
  await open(page, "/help");
  await page.getByLabel(say("content.search")).fill("guarantor");
  await page.getByText(say("content.found", { n: 1, text: "guarantor" })).waitFor();
  await page.locator("main summary").click();
  await page.locator("main details[open] p").waitFor();
  await page.getByRole("link", { name: say("content.write") }).click();
  await page.waitForURL(/\/contact$/);
  await page.getByRole("button", { name: say("content.send") }).click();
  await page.getByText(say("content.fault_message")).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByLabel(say("content.name")).fill("Zoe Chen");
  await page.getByLabel(say("content.email")).fill("zoe@homes.example");
  await page.getByLabel(say("content.message"), { exact: true }).fill("Do you have rooms in Leeds?");
  await page.getByRole("button", { name: say("content.send") }).click();
  await page.getByText(say("content.sent", { email: "zoe@homes.example" })).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
