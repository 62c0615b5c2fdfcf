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

/** A feature of the public pages: its sheets stay when a person goes on to the pages of another. */
function featureOf(path: string): string | null {
  const [, feature] = /^shop\/([a-z]+)\//.exec(path) ?? [];
  return feature === undefined || feature === "ui" || feature === "styles" ? null : feature;
}

/** The class names that a component draws, from its `className` attributes. */
function classesDrawnIn(path: string): string[] {
  const code = readFileSync(resolve(src, path), "utf8");
  return [...code.matchAll(/className=(?:"([^"]*)"|\{((?:[^{}]|\$\{[^}]*\})*)\})/g)]
    .flatMap(
      ([, plain, computed = ""]) => plain ?? [...computed.matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, one]) => one),
    )
    .flatMap((one) => one?.replace(/\$\{[^}]*\}/g, " ").split(/\s+/) ?? []);
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

/** `.rating` of one feature once broke the cards that another shows: each rule names a class of its own feature. */
test("no style of a feature reaches into another feature", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  const styled = files.filter((path) => path.endsWith(".css")).map((path) => ({ path, names: classesIn(read(path)) }));
  const drawn = files
    .filter((path) => /^(shop|ui)\/.*\.tsx$/.test(path) && !path.includes(".test."))
    .map((path) => ({ path, names: classesDrawnIn(path) }));
  const reaching = styled.flatMap(({ path }) => {
    const feature = featureOf(path);
    if (feature === null) return [];
    const foreign = new Set([
      ...drawn.filter((one) => featureOf(one.path) !== feature).flatMap(({ names }) => names),
      ...styled
        .filter((one) => (featureOf(one.path) ?? feature) !== feature)
        .flatMap(({ path: other }) => selectorsIn(read(other)).filter((one) => /^\.[\w-]+$/.test(one)))
        .map((selector) => selector.slice(1)),
    ]);
    return selectorsIn(read(path))
      .filter((selector) => classesIn(selector).length > 0 && classesIn(selector).every((name) => foreign.has(name)))
      .filter((selector) => !selector.includes("#"))
      .map((selector) => `${path} ${selector}`);
  });
  expect(reaching).toEqual([]);
});
