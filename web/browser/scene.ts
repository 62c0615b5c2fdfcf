import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { axe, type Screen, shot, shots, visitor } from "./chromium.ts";
import { type Lang, type Words, wordsOf } from "./words.ts";

/** The stage of one telling of the story: one screen, one language, pictures numbered in the order they are taken. */
export interface Stage {
  browser: Browser;
  url: string;
  screen: Screen;
  lang: Lang;
  taken: { count: number };
}

/** One person before their browser. */
export interface Scene extends Words {
  page: Page;
  url: string;
  narrow: boolean;
  /** Looks at what is on screen: nothing for axe to find, nothing said on the console, nothing wider than the window. */
  look: (name: string) => Promise<void>;
  leave: () => Promise<void>;
}

export async function enter(stage: Stage): Promise<Scene> {
  const { page, context, complaints } = await visitor(stage.browser, stage.url, stage.screen, stage.lang);
  page.setDefaultTimeout(20_000);
  const look = async (name: string) => {
    stage.taken.count += 1;
    const number = String(stage.taken.count).padStart(2, "0");
    const file = `${number}-${name}-${stage.screen.width}-${stage.lang}`;
    await settle(page);
    // What is fixed to the window would stand in the middle of a picture of the whole page.
    const isFixed = (await page.locator("dialog[open], .flow-foot, .split, .bbar:visible").count()) > 0;
    if (isFixed) await page.screenshot({ path: join(shots, `${file}.png`) });
    else await shot(page, file);
    const wider = await widerThanWindow(page);
    const bare = await bareKeys(page);
    const found = { file, axe: await axe(page), complaints: complaints.splice(0), wider, bare };
    expect.soft(found).toEqual({ file, axe: [], complaints: [], wider: [], bare: [] });
  };
  return {
    ...wordsOf(stage.lang),
    page,
    url: stage.url,
    narrow: stage.screen.width < 600,
    look,
    leave: () => context.close(),
  };
}

/** Until everything that moves has come to rest, so that a picture shows what a person would look at. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 4000 }).catch(() => undefined);
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map((one) => one.finished));
    await document.fonts.ready;
  });
}

/** A key on the page is a text that was not loaded. */
async function bareKeys(page: Page): Promise<string[]> {
  const text = (await page.locator("main, dialog[open]").allTextContents()).join(" ");
  const keys =
    /\b(ui|shell|home|search|property|lead|login|booking|payment|profile|support|finance|workspace|timeline)(_ui)?\.[a-z]+_?[a-z_]*\b/g;
  return text.match(keys) ?? [];
}

/** What makes the page scroll sideways, by class. */
function widerThanWindow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    const all = [...document.querySelectorAll("body *")];
    const beyond = all.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1);
    return beyond.map((one) => `${one.tagName}.${one.getAttribute("class") ?? ""}`).slice(0, 12);
  });
}
