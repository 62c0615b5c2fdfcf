import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { Traffic } from "./traffic.ts";

/** Whether steps are kept as pictures, which nothing is tested by: `LATCHKEY_TEST_PICTURES=1`, or `LATCHKEY_TEST_WHOLE=1`. */
export const isPictured = ["LATCHKEY_TEST_PICTURES", "LATCHKEY_TEST_WHOLE"].some((name) => process.env[name] === "1");

/** Where pictures are kept; a failed step is kept in every run. */
export const shots = resolve(import.meta.dirname, "out");

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };
export type Screen = typeof desktop;

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// The shell draws pages as the browser does, without the browser's own windows, which cost as much again.
const browsers = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export function launch(): Promise<Browser> {
  const found = browsers.find(existsSync);
  if (!found) throw new Error("Chromium is missing: run scripts/setup");
  return chromium.launch({ executablePath: found, args: flags });
}

/** A visitor of their own: own cookies, own storage. Complaints of the browser land in `complaints`. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  traffic: Traffic;
}

export async function visitor(browser: Browser, url: string, screen: Screen, lang: string): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: screen,
    locale: lang,
    reducedMotion: "reduce",
    hasTouch: screen.width < 600,
  });
  const page = await context.newPage();
  const traffic = new Traffic(page);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A page that is not found says so with its status; the browser repeats it as an error of its own.
    // An earlier state that is still being folded is answered 503, and the page asks again.
    const isFolding = /status of 503/.test(message.text()) && /[?&]as_of=/.test(message.location().url);
    if (message.type() === "error" && !isFolding && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  return { page, context, complaints, traffic };
}

/** Goes to an address and waits until the page answers to clicks. */
export async function open(page: Page, path: string): Promise<number> {
  // A dialog that was closed takes its entry out of the history; going elsewhere meanwhile would be broken off.
  await page.waitForFunction(
    () => document.querySelector("dialog[open]") !== null || !("modal" in Object(window.history.state)),
  );
  const response = await page.goto(path);
  await page.waitForFunction(() => document.documentElement.dataset["ready"] === "true");
  return response?.status() ?? 0;
}

/** Keeps what stands in the window. */
export async function windowShot(page: Page, name: string): Promise<void> {
  if (isPictured) await capture(page, { path: join(shots, `${name}.png`) });
}

/** Keeps the whole page, every lazy image in it. */
export async function shot(page: Page, name: string): Promise<void> {
  if (!isPictured) return;
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo(0, y);
      await new Promise(requestAnimationFrame);
    }
    scrollTo(0, 0);
    const waiting = [...document.images].filter((image) => !image.complete);
    await Promise.all(
      waiting.map((image) => new Promise((done) => image.addEventListener("load", done, { once: true }))),
    );
  });
  await capture(page, { path: join(shots, `${name}.png`), fullPage: true });
}

/** Takes a picture. On a busy machine Chromium sometimes says that it cannot; then once more. */
export async function capture(page: Page, options: { path: string; fullPage?: boolean }): Promise<void> {
  mkdirSync(shots, { recursive: true });
  await page.screenshot(options).catch((error: unknown) => {
    if (!String(error).includes("Unable to capture screenshot")) throw error;
    return page.screenshot(options);
  });
}

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[] }[];
}

/** What axe finds against WCAG 2.2 AA, one line each; empty when nothing. Targets are measured too, which axe leaves off. */
export async function axe(page: Page): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  // The page's policy forbids foreign scripts, so axe is evaluated in the page instead of linked into it, once in a document.
  const isThere = await page.evaluate<boolean>("typeof axe === 'object'");
  if (!isThere) await page.evaluate(readFileSync(path, "utf8"));
  // Of the rules that hold axe would otherwise describe each element, which is most of its work.
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], rules: { "target-size": { enabled: true } } }).then((found) => found.violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ target }) => ({ target })) })))`,
  );
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
}
