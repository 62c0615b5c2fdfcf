import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, desktop, open, type Screen, shot } from "./chromium.ts";
import { press, reach, search, type } from "./keyboard.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { allStagings, bothStagings, chooseStagings } from "./stagings.ts";
import { type Lang, wordsOf } from "./words.ts";

/** Texts of pages in the workspace: the company's own terms from the grid to the public page, and back. */

const site = openSite();

const BODY = "## Who we are\n\n{brand} lets rooms in **Leeds**.\n\n- Rent is paid monthly\n- Pets are welcome";

/** Heads of the public page as readers of these languages see it. */
async function headsOf(screen: Screen, path: string, languages: readonly Lang[]): Promise<(string | null)[]> {
  const heads: (string | null)[] = [];
  for (const lang of languages) {
    const { page, context } = await site.visit(screen, lang);
    await open(page, `${path}?lang=${lang}`);
    heads.push(await page.locator("main h1").textContent());
    await context.close();
  }
  return heads;
}

/** Looks at the page: nothing is in a reader's way, nothing is wider than the window. */
function lookerOf(page: Page, staging: string) {
  return async (name: string) => {
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await shot(page, `workspace-${name}-${staging}`);
  };
}

for (const { device, screen, lang } of chooseStagings(bothStagings, allStagings)) {
  const { say } = wordsOf(lang);
  const title = `Terms of Leeds Rooms ${device} ${lang}`;

  test(`readers see own terms until taken back: ${device}, ${lang}`, async () => {
    const { page, context, complaints } = await staffOf(site, {
      name: `texts-${device}-${lang}`,
      roles: ["admin"],
      screen,
      lang,
    });
    const looksWell = lookerOf(page, `${screen.width}-${lang}`);
    const field = (name: string) => page.getByRole("textbox", { name: say(name), exact: true });
    const button = (name: string) => page.getByRole("button", { name: say(name), exact: true });
    const dialog = page.getByRole("dialog");

    await open(page, "/workspace/content");
    await page.getByRole("table", { name: say("house_texts.caption"), exact: true }).waitFor();
    await looksWell("content");
    await page.getByRole("link", { name: say("legal.terms_title"), exact: true }).click();

    // A name that the site does not know keeps the draft from being saved.
    await field("house_texts.field_title").fill(title);
    await field("house_texts.field_body").fill(`${BODY}\n\nWrite to {support_mail}.`);
    await page.getByRole("alert").getByText("{support_email}").waitFor();
    expect(await button("house_texts.save").isDisabled()).toBe(true);
    await field("house_texts.field_body").fill(BODY);
    await button("house_texts.save").click();
    const preview = page.getByRole("region", { name: say("house_texts.preview"), exact: true });
    await preview.getByRole("heading", { name: title, exact: true }).waitFor();
    await preview.getByText("Pets are welcome", { exact: true }).waitFor();
    await looksWell("content-edit");
    const before = await headsOf(screen, "/terms", ["en"]);
    expect(before).toEqual([wordsOf("en").say("legal.terms_title")]);

    await button("house_texts.publish_open").click();
    await dialog.getByText(say("house_texts.then_duty"), { exact: true }).waitFor();
    await looksWell("content-publish");
    await dialog.getByRole("button", { name: say("house_texts.publish"), exact: true }).click();
    await button("house_texts.take_back_open").waitFor();
    // Terms that no longer hold are shown to nobody: another language gets the first one's.
    await expect.poll(() => headsOf(screen, "/terms", ["en", "zh"])).toEqual([title, title]);
    await page.getByRole("link", { name: say("house_texts.to_list"), exact: true }).click();
    await page
      .getByRole("row")
      .filter({ hasText: "/terms" })
      .getByText(say("house_texts.missing"), { exact: true })
      .waitFor();
    await looksWell("content-missing");

    await page.getByRole("link", { name: say("legal.terms_title"), exact: true }).click();
    await button("house_texts.take_back_open").click();
    await dialog.getByRole("button", { name: say("house_texts.take_back"), exact: true }).click();
    await button("house_texts.take_back_open").waitFor({ state: "detached" });
    await expect.poll(() => headsOf(screen, "/terms", ["en"])).toEqual(before);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

// Nothing here clicks: keys alone find a page, write it and publish it.
test("a page is written and published by keys alone", async () => {
  const { say } = wordsOf("en");
  const { page, context, complaints } = await staffOf(site, {
    name: "texts-keys",
    roles: ["admin"],
    screen: desktop,
    lang: "en",
  });
  await open(page, "/workspace/content");
  await page.getByRole("table").waitFor();
  await search(page, "content-search", "/about");
  await page.getByRole("row").nth(2).waitFor({ state: "detached" });
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const title = page.getByRole("textbox", { name: say("house_texts.field_title"), exact: true });
  await title.waitFor();
  await type(page, title, "Rooms in Leeds");
  await page.keyboard.press("Control+s");
  await page.getByText(say("house_texts.all_saved"), { exact: true }).waitFor();
  const publish = page.getByRole("button", { name: say("house_texts.publish_open"), exact: true });
  await reach(page, publish);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await press(page, dialog.getByRole("button", { name: say("house_texts.publish"), exact: true }));
  await page.getByRole("button", { name: say("house_texts.take_back_open"), exact: true }).waitFor();
  await expect.poll(() => headsOf(desktop, "/about", ["en"])).toEqual(["Rooms in Leeds"]);
  expect(complaints).toEqual([]);
  await context.close();
});
