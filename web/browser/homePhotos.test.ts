import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, desktop, open, phone, shot } from "./chromium.ts";
import { press, reach, type } from "./keyboard.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { wordsOf } from "./words.ts";

/** Photos of a home in the workspace: sent, arranged and described, by keys alone and on a phone. */

const site = openSite();

const { say } = wordsOf("en");

const HOME = "Harbour Yard 187";

/** A picture of the page as it is: a true photo file, and another one each time. */
async function takePicture(page: Page, name: string) {
  return { name, mimeType: "image/jpeg", buffer: await page.screenshot({ type: "jpeg" }) };
}

/** Opens the choice of files by a key. */
async function sendFiles(page: Page, files: Awaited<ReturnType<typeof takePicture>>[]): Promise<void> {
  const input = page.locator('input[type="file"]');
  await reach(page, input);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  await chooser.setFiles(files);
}

const sources = (page: Page) =>
  page.locator(".photo img").evaluateAll((all) => all.map((image) => image.getAttribute("src")));

async function makeDraft(page: Page): Promise<void> {
  await open(page, "/workspace/homes");
  await page.getByRole("table").waitFor();
  await page.keyboard.press("n");
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await type(page, field(say("homes.fact_name")), HOME);
  await type(page, page.getByRole("combobox", { name: say("homes.city"), exact: true }), "london");
  await type(page, field(say("homes.room_name_field")), "Studio");
  await type(page, field(say("homes.fact_count")), "4");
  await type(page, field(say("homes.why")), "A landlord by phone");
  await press(page, page.getByRole("button", { name: say("homes.add_draft"), exact: true }));
  await page.getByRole("heading", { name: HOME }).waitFor();
}

/** Presses the button of an act, takes its first reason, and sends it. */
async function act(page: Page, word: "activate" | "pause" | "close", state: string): Promise<void> {
  await press(page, page.getByRole("button", { name: say(`homes.act_${word}`), exact: true }));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio").first().waitFor({ state: "attached" });
  await page.keyboard.press(" ");
  await press(page, dialog.getByRole("button", { name: say(`homes.${word}_go`), exact: true }));
  await page.locator("h1 .chip", { hasText: state }).waitFor();
}

// Nothing here clicks: keys alone make a home, send its photos, order them, publish it, pause it and close it.
test("a home with photos is made, arranged and closed by keys", async () => {
  const { page, context, complaints } = await staffOf(site, {
    name: "photo-keys",
    roles: ["support"],
    screen: desktop,
    lang: "en",
  });
  await open(page, "/workspace/homes");
  const first = await takePicture(page, "list.jpg");
  await makeDraft(page);
  const second = await takePicture(page, "home.jpg");
  await press(page, page.getByRole("navigation", { name: say("homes.parts") }).getByText(say("homes.part_photos")));
  await sendFiles(page, [first]);
  await expect.poll(() => sources(page).then((all) => all.length)).toBe(1);
  await sendFiles(page, [second]);
  await expect.poll(() => sources(page).then((all) => all.length)).toBe(2);
  expect(await axe(page)).toEqual([]);

  const before = await sources(page);
  const card = page.locator(".photo").nth(1);
  await press(page, card.getByRole("button", { name: new RegExp(`^${say("homes.photo_move")}`) }), " ");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect.poll(() => sources(page)).toEqual(before.toReversed());
  expect(await axe(page)).toEqual([]);
  await press(page, page.getByRole("button", { name: say("homes.save_with_reason"), exact: true }));
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("The home first");
  await press(page, page.getByRole("dialog").getByRole("button", { name: say("homes.save"), exact: true }));
  await page.getByRole("region", { name: say("homes.unsaved") }).waitFor({ state: "detached" });
  await page.reload();
  await expect.poll(() => sources(page)).toEqual(before.toReversed());

  await act(page, "activate", say("homes.state_active"));
  await act(page, "pause", say("homes.state_paused"));
  await act(page, "close", say("homes.state_closed"));
  expect(complaints).toEqual([]);
  await context.close();
});

test("a phone describes a photo and hears of a file that is none", async () => {
  const { page, context, complaints } = await staffOf(site, {
    name: "photo-phone",
    roles: ["support"],
    screen: phone,
    lang: "en",
  });
  await open(page, "/workspace/homes?q=bloomsbury%20row");
  const picture = await takePicture(page, "street.jpg");
  await page.getByRole("link", { name: "Bloomsbury Row", exact: true }).click();
  await page
    .getByRole("navigation", { name: say("homes.parts") })
    .getByText(say("homes.part_photos"))
    .click();
  const input = page.locator('input[type="file"]');
  await input.setInputFiles([
    { name: "notes.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") },
    picture,
  ]);
  await page.locator(".uploads .err").waitFor();
  await expect.poll(() => sources(page).then((all) => all.length)).toBe(1);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: new RegExp(`^${say("homes.photo_edit")}`) }).click();
  const dialog = page.getByRole("dialog");
  const alt = "Brick front with blue doors";
  await dialog.getByLabel(say("homes.photo_alt", { language: "English" })).fill(alt);
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: say("homes.photo_edit_done"), exact: true }).click();
  await page.locator(".photos").getByRole("img", { name: alt }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await shot(page, "workspace-home-photos-390");
  expect(complaints).toEqual([]);
  await context.close();
});
