import type { Browser, Page } from "playwright-core";
import { axe, isPictured, type Screen, shot, visitor, windowShot } from "./chromium.ts";
import { type Lang, type Words, wordsOf } from "./words.ts";

/** What was wrong with one look at a page. */
export interface Finding {
  file: string;
  axe: string[];
  complaints: string[];
  wider: string[];
  bare: string[];
  /** Dialogs of which a part lies outside the window, by name. */
  outside: string[];
  /** Fields side by side whose controls do not stand on one line, by label. */
  uneven: string[];
}

/** The stage of one telling: one screen, one language, pictures numbered in the order they are taken. */
export interface Stage {
  browser: Browser;
  url: string;
  screen: Screen;
  lang: Lang;
  taken: { count: number };
  /** Whether a look runs axe and takes a picture; what else it checks costs little and is always checked. */
  isInspected: boolean;
  /** What jarred on the way; the telling goes on, its test asks for none at the end. */
  found: Finding[];
}

/** A stage nobody has played on. */
export function stageOf(browser: Browser, url: string, screen: Screen, lang: Lang): Stage {
  return { browser, url, screen, lang, taken: { count: 0 }, isInspected: true, found: [] };
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

/** How long a person of these stories waits for a page: a machine that builds something else meanwhile is slow. */
export const patience = 60_000;

export async function enter(stage: Stage): Promise<Scene> {
  const { page, context, complaints, traffic } = await visitor(stage.browser, stage.url, stage.screen, stage.lang);
  page.setDefaultTimeout(patience);
  const look = async (name: string) => {
    stage.taken.count += 1;
    const number = String(stage.taken.count).padStart(2, "0");
    const file = `${number}-${name}-${stage.screen.width}-${stage.lang}`;
    await traffic.quiet();
    await settle(page);
    if (stage.isInspected && isPictured) await picture(page, stage.screen, file);
    const wider = await widerThanWindow(page);
    const bare = await bareKeys(page);
    const outside = await dialogsOutside(page);
    const faults = stage.isInspected ? await axe(page) : [];
    const uneven = await unevenFields(page);
    const found = { file, axe: faults, complaints: complaints.splice(0), wider, bare, outside, uneven };
    if ([found.axe, found.complaints, wider, bare, outside, uneven].some((faults) => faults.length > 0))
      stage.found.push(found);
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

async function picture(page: Page, screen: Screen, file: string): Promise<void> {
  // What is fixed to the window would stand in the middle of a picture of the whole page.
  const isFixed = (await page.locator("dialog[open], .w-box, .split, .bbar:visible").count()) > 0;
  if (isFixed) await windowShot(page, file);
  else await tall(page, screen, () => shot(page, file));
}

/** A window as tall as the page, so that a foot at its end stands below what is read and not upon it. */
async function tall(page: Page, screen: Screen, take: () => Promise<void>): Promise<void> {
  if ((await page.locator(".flow-foot").count()) === 0) return take();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...screen, height: Math.max(height, screen.height) });
  await take();
  await page.setViewportSize(screen);
}

/** Until everything that moves has come to rest, so that a picture shows what a person would look at. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map((one) => one.finished));
    await document.fonts.ready;
  });
}

/** A key on the page is a text that was not loaded. */
async function bareKeys(page: Page): Promise<string[]> {
  const text = (await page.locator("main, dialog[open], .w-box").allTextContents()).join(" ");
  const keys =
    /\b(ui|shell|home|search|property|lead|change|login|booking|payment|profile|support|finance|workspace|timeline)(_ui)?\.[a-z]+_?[a-z_]*\b/g;
  return text.match(keys) ?? [];
}

/** What makes the page scroll sideways, by class. */
export function widerThanWindow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    const all = [...document.querySelectorAll("body *")];
    const beyond = all.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1);
    return beyond.map((one) => `${one.tagName}.${one.getAttribute("class") ?? ""}`).slice(0, 12);
  });
}

/** Fields that begin on one line and whose controls do not, because one label is higher than the other. */
export function unevenFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll(".label")].flatMap((label) => {
      const control = label.nextElementSibling;
      const at = label.getBoundingClientRect();
      if (control === null || at.width === 0) return [];
      return [{ name: label.textContent, top: at.top, left: at.left, under: control.getBoundingClientRect().top }];
    });
    return fields.flatMap((one) => {
      const beside = fields.filter((other) => other.left > one.left && Math.abs(other.top - one.top) < 2);
      const uneven = beside.filter((other) => Math.abs(other.under - one.under) > 0.5);
      return uneven.map((other) => `${one.name} | ${other.name}: ${one.under} and ${other.under}`);
    });
  });
}

/** Open dialogs that are wider than the window, or whose buttons in the head lie outside it. */
export function dialogsOutside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isOutside = (one: Element) => {
      const { left, right } = one.getBoundingClientRect();
      return left < -1 || right > window.innerWidth + 1;
    };
    return [...document.querySelectorAll("dialog[open], .w-box")].flatMap((dialog) => {
      const parts = [
        dialog,
        ...dialog.children,
        ...dialog.querySelectorAll("[class*=head] > button, .w-box > * > header button"),
      ];
      const beyond = parts.filter(isOutside).map((part) => part.getAttribute("class") ?? part.tagName);
      return beyond.length > 0
        ? [`${dialog.getAttribute("aria-label") ?? dialog.className}: ${beyond.join(", ")}`]
        : [];
    });
  });
}
