import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import en from "../../../../i18n/en/admin.json";
import type { SystemHealth } from "../../contract/wire.ts";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { Feeds } from "./Feeds.tsx";

addTexts("en", en);

afterEach(cleanup);

function textOf(feeds: SystemHealth["feeds"]): string {
  const health = { checked_at: "2026-11-29T12:00:00Z", feeds };
  const { container } = render(
    <LanguageProvider lang="en">
      <Feeds health={health} />
    </LanguageProvider>,
  );
  return container.textContent ?? "";
}

test("feeds that cannot be read are unknown, and not none", () => {
  expect(textOf(null)).toBe(en["admin.feeds"] + en["admin.unknown"]);
});

test("a house without feeds says nothing of them", () => {
  expect(textOf([])).toBe("");
});

test("a feed without an import says so", () => {
  const feed = { name: "leeds", due_at: null, is_running: false, is_failing: false, failure: null };
  const shown = textOf([{ ...feed, ended: null, ended_at: null, last_import: null }]);
  expect(shown).toContain(en["admin.feed_no_import"]);
  expect(shown).not.toContain("0");
});
