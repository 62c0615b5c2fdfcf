import type { Locator, Page } from "playwright-core";
import type { Scene } from "./scene.ts";

/** Hands that know no mouse: nothing here clicks, fills or focuses; keys are pressed and that is all. */

/** Somebody who looks for one thing gives up after so many tabs. */
const mostTabs = 160;

/** Presses Tab until the wanted thing has the focus. */
export async function reach(page: Page, wanted: Locator): Promise<void> {
  await wanted.first().waitFor({ state: "attached" });
  const isThere = () => wanted.evaluateAll((all) => all.some((one) => one === document.activeElement));
  for (let tabs = 0; !(await isThere()); tabs++) {
    if (tabs > mostTabs) throw new Error(`no way leads to ${wanted}`);
    await page.keyboard.press("Tab");
  }
}

/** Goes there and presses it. */
export async function press(page: Page, wanted: Locator, key = "Enter"): Promise<void> {
  await reach(page, wanted);
  await page.keyboard.press(key);
}

/** Goes there and writes anew what it holds. */
export async function type(page: Page, wanted: Locator, text: string): Promise<void> {
  await reach(page, wanted);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** Moves a list of choices by the arrows until it stands at this value. */
export async function pick(page: Page, wanted: Locator, value: string): Promise<void> {
  await reach(page, wanted);
  await page.keyboard.press("Home");
  for (let steps = 0; (await wanted.inputValue()) !== value; steps++) {
    if (steps > 60) throw new Error(`the arrows do not reach ${value}`);
    await page.keyboard.press("ArrowDown");
  }
}

/** Goes to a page by the command list; `heading` is what the page is then called. */
export async function goTo(scene: Scene, words: string, heading: string = words): Promise<void> {
  await command(scene, words);
  await scene.page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
}

/** Opens the command list, types what is wanted, and takes the line that says it. */
export async function command({ page, say }: Scene, words: string): Promise<void> {
  // A page that stands hears keys; one that was only just opened may not yet.
  await page.locator("h1").first().waitFor();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: say("workspace.find_or_do") });
  await box.waitFor();
  await page.keyboard.type(words);
  await page.locator(".pal [role=option][data-highlighted]", { hasText: words }).waitFor();
  await page.keyboard.press("Enter");
  await box.waitFor({ state: "detached" });
}

/** Writes into the search box of a list and leaves it, so that the list's keys count again. */
export async function search(page: Page, field: string, words: string): Promise<void> {
  await page.keyboard.press("/");
  await page.locator(`#${field}:focus`).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("q") === words);
}

/** Moves a group of radio buttons by the arrows until this one is chosen. */
export async function choose(page: Page, group: Locator, wanted: Locator): Promise<void> {
  await reach(page, group);
  await page.keyboard.press("Space");
  for (let steps = 0; !(await wanted.isChecked()); steps++) {
    if (steps > 20) throw new Error(`the arrows do not reach ${wanted}`);
    await page.keyboard.press("ArrowDown");
  }
}
