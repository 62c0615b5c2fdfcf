import { expect, test } from "vitest";
import type { RouteName } from "../page.ts";
import printed from "../shop/entry-server.tsx?raw";
import { routeOf } from "../shop/routes.tsx";
import { text } from "./catalogue.ts";
import { addServerTexts } from "./serverTexts.ts";

const catalogues = import.meta.glob<Record<string, string>>("../../../i18n/en/*.json", {
  import: "default",
  eager: true,
});

// A page that the server prints without its texts goes out as bare keys, and React draws it a second time in the browser.
test("server has the texts of every page that it prints", () => {
  const pages = [...printed.matchAll(/case "(\w+)":\s+return </g)].map(([, name]) => name as RouteName);
  expect(pages).toContain("verify");
  addServerTexts();
  const bare = pages.flatMap((name) =>
    routeOf(name).areas.flatMap((area) =>
      Object.keys(catalogues[`../../../i18n/en/${area}.json`] ?? {}).filter((key) => text("zh", key, {}) === key),
    ),
  );
  expect(bare).toEqual([]);
});
