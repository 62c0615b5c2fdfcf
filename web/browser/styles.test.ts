import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "../src");
const own = /^(workspace|support|finance)\//;
/** Always loaded: the workspace is built on these and overrides what it needs. */
const ground = /^styles\/(base|controls|surfaces|shell|tokens|font|index)\.css$/;

function read(path: string): string {
  const css = readFileSync(resolve(src, path), "utf8");
  return css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/url\([^)]*\)/g, "");
}

function classesIn(text: string): string[] {
  return [...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].flatMap(([, name]) => name ?? []);
}

function selectorsIn(css: string): string[] {
  return [...css.matchAll(/([^{}]+)\{[^{}]*\}/g)].flatMap(([, list = ""]) => list.split(",").map((one) => one.trim()));
}

// Public pages load their styles when they are visited; those stay when a person then opens the workspace.
test("no style of a public page reaches into the workspace", () => {
  const sheets = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));
  const classes = new Set(sheets.filter((path) => own.test(path)).flatMap((path) => classesIn(read(path))));
  expect(classes.size).toBeGreaterThan(100);
  const reaching = sheets
    .filter((path) => !own.test(path) && !ground.test(path))
    .flatMap((path) =>
      selectorsIn(read(path))
        // A state nothing in the workspace is in, such as a chip that cannot be chosen, reaches nothing.
        .filter((selector) => !selector.includes("[aria-disabled"))
        .filter((selector) => classesIn(selector).length > 0 && classesIn(selector).every((name) => classes.has(name)))
        .map((selector) => `${path} ${selector}`),
    );
  expect(reaching).toEqual([]);
});
