import { RouterContextProvider } from "@tanstack/react-router";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import en from "../../../../../i18n/en/imports.json";
import zh from "../../../../../i18n/zh/imports.json";
import type { ImportRun, Lang } from "../../../contract/wire.ts";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { router } from "../../router.tsx";
import { feedsFilters } from "../feedsFilters.ts";
import { RunShown } from "./RunPage.tsx";

addTexts("en", en);
addTexts("zh", zh);

afterEach(cleanup);

const complete: ImportRun = {
  run_id: "1",
  feed: "north",
  by: "operator",
  by_name: "",
  file: "north.csv",
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  map_digest: null,
  missing_rule: "report",
  begun_at: "2026-11-18T11:06:40Z",
  ended_at: "2026-11-18T11:07:40Z",
  outcome: "complete",
  reason: null,
  homes: null,
  allowed: null,
  added: 21,
  changed: 63,
  unchanged: 1519,
  rejected: 0,
  left_out: 0,
  missing: 4,
  withdrawn: 0,
  has_report: false,
};

function textOf(run: Partial<ImportRun>, lang: Lang = "en"): string {
  cleanup();
  const { container } = render(
    <LanguageProvider lang={lang}>
      <RouterContextProvider router={router}>
        <RunShown run={{ ...complete, ...run }} />
      </RouterContextProvider>
    </LanguageProvider>,
  );
  return container.textContent ?? "";
}

test("a run says its file, asker and counts", () => {
  const shown = textOf({});
  expect(shown).toContain("north.csv");
  expect(shown).toContain("SHA-256 9f86d081884c");
  expect(shown).not.toContain("9f86d081884c7");
  expect(shown).toContain(en["imports.by_operator"]);
  expect(shown).toContain(`${en["imports.unchanged"]}1,519`);
  expect(shown).toContain(en["imports.complete"]);
  expect(textOf({ rejected: 2 })).toContain(en["imports.complete_rejected"]);
});

test("askers are named in the reader's language", () => {
  expect(textOf({ by: "schedule" }, "zh")).toContain(zh["imports.by_schedule"]);
  expect(textOf({ by: "staff", by_name: "Ada Okafor" })).toContain("Ada Okafor");
  expect(textOf({ by: "staff" })).toContain(en["imports.by_former"]);
});

test("a refused run says its numbers and no counts", () => {
  const gone = { missing: 52, homes: 189 };
  const many = textOf({ outcome: "too_many_missing", ...gone });
  expect(many).toContain("(52 of 189)");
  expect(many).not.toContain(en["imports.added"]);
  expect(many).toContain("--missing withdraw --missing-limit 52");
  expect(textOf({ outcome: "too_many_missing", ...gone, allowed: 40 })).toContain("limit 40");
  expect(textOf({ outcome: "number_not_typed", missing: 3, homes: 4 })).toContain("(3 of 4)");
});

test("a run without an end and one that stopped say so", () => {
  expect(textOf({ outcome: null, ended_at: null })).toContain(en["imports.open_text"]);
  const stopped = textOf({ outcome: "stopped", reason: "the array breaks off" });
  expect(stopped).toContain(en["imports.stopped"]);
  expect(stopped).toContain("the array breaks off");
  expect(stopped).toContain(en["imports.added"]);
  expect(stopped).not.toContain(en["imports.missing"]);
});

test("filters that cannot be read count as absent", () => {
  expect(feedsFilters({ feed: " north ", before: "17" })).toEqual({ feed: "north", before: 17 });
  expect(feedsFilters({ feed: "", before: -1 })).toEqual({ feed: null, before: null });
});
