// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTable } from "./languageTable.ts";
import { AREAS, writeMap } from "./pageTexts.ts";
import { I18N } from "./texts.ts";

/** Code of an application, without its tests. */
function readCode(application: string): string {
  const folder = join(import.meta.dirname, "../src", application);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
}

/** Areas in calls of `page`, `withTexts` and `loadAreas`, which load them by name. */
function areasIn(code: string): string[] {
  const lists = [
    ...code.matchAll(/\bpage\(\s*"\w+",\s*\(\) => import\("[^"]+"\),\s*\[([^\]]*)\]/g),
    ...code.matchAll(/\bwithTexts\(\s*import\("[^"]+"\),\s*\[?([^)\]]*)[\])]/g),
    ...code.matchAll(/\bloadAreas\([^[;]*\[([^\]]*)\]/g),
  ];
  return lists.flatMap(([, list = ""]) => [...list.matchAll(/"(\w+)"/g)].map(([, area = ""]) => area));
}

test.each(["shop", "workspace"] as const)("the %s offers every area that it loads", (application) => {
  const loaded = new Set(areasIn(readCode(application)));
  expect(loaded.size).toBeGreaterThan(10);
  const offered = new Set<string>(AREAS[application]);
  expect([...loaded].filter((area) => !offered.has(area))).toEqual([]);
});

test("the map of a language names its own files alone", () => {
  const { fallback, languages } = readTable();
  for (const tag of Object.keys(languages)) {
    const map = writeMap("shop", tag, fallback);
    const folders = [...map.matchAll(/import\("([^"]+)\/\w+\.json"\)/g)].map(([, folder]) => folder);
    expect(new Set(folders)).toEqual(new Set([join(I18N, tag)]));
    expect(map.includes("forms.json")).toBe(tag !== fallback);
  }
});
