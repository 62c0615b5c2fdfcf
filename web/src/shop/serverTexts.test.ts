import { expect, test } from "vitest";
import { text } from "../i18n/catalogue.ts";
import { addServerTexts } from "../i18n/serverTexts.ts";
import printed from "./entry-server.tsx?raw";
import table from "./routes.tsx?raw";

const catalogues = import.meta.glob<Record<string, string>>("../../../i18n/en/*.json", {
  import: "default",
  eager: true,
});

/** The areas of texts that the table of routes names for a page. */
function areasOf(name: string): string[] {
  const [, areas = ""] = new RegExp(`^  ${name}: page\\([^\\[]*\\[([^\\]]*)\\]`, "m").exec(table) ?? [];
  return [...areas.matchAll(/"(\w+)"/g)].map(([, area = ""]) => area);
}

// A page that the server prints without its texts goes out as bare keys, and React draws it a second time in the browser.
test("server has the texts of every page that it prints", () => {
  const pages = [...printed.matchAll(/case "(\w+)":\s+return </g)].map(([, name = ""]) => name);
  expect(pages.every((name) => areasOf(name).length > 0)).toBe(true);
  expect(areasOf("verify")).toEqual(["receipt", "verify"]);
  addServerTexts();
  const bare = pages.flatMap((name) =>
    areasOf(name).flatMap((area) =>
      Object.keys(catalogues[`../../../i18n/en/${area}.json`] ?? {}).filter((key) => text("zh", key, {}) === key),
    ),
  );
  expect(bare).toEqual([]);
});
