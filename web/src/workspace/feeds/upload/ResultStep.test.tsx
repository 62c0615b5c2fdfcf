import { QueryClientProvider } from "@tanstack/react-query";
import { RouterContextProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import homes from "../../../../../i18n/en/homes.json";
import en from "../../../../../i18n/en/imports.json";
import workspace from "../../../../../i18n/en/workspace.json";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { newQueryClient } from "../../queries.ts";
import { router } from "../../router.tsx";
import type { FeedUpload, UploadRun } from "../feedCalls.ts";
import { ResultStep } from "./ResultStep.tsx";

addTexts("en", { ...workspace, ...homes, ...en });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const run: UploadRun = {
  kind: "dry_run",
  missing_rule: "report",
  missing_limit: null,
  run_id: null,
  begun_at: "2026-11-18T11:06:40Z",
  ended_at: "2026-11-18T11:06:42Z",
  percent: 100,
  rows: 9,
  homes: 9,
  added: 3,
  changed: 1,
  unchanged: 2,
  rejected: 3,
  left_out: 0,
  missing: 4,
  withdrawn: 0,
  outcome: "complete",
  reason: null,
  let_homes: null,
  has_report: true,
  worst: [{ line: 8, home: "a-8", outcome: "lease rejected", path: "rent", value: "on request", reason: "no number" }],
  absent: ["a-1", "a-2"],
};

const upload: FeedUpload = {
  upload_id: "u",
  run_id: null,
  feed: "north",
  file: "north.csv",
  bytes: 900,
  by_name: "Ada Okafor",
  made_at: "2026-11-18T11:06:40Z",
  expires_at: "2026-11-19T11:06:40Z",
  work: "dry_run",
  stage: "done",
  is_here: true,
  is_looked: true,
  digest: "9f",
  map: {},
  map_from: "suggested",
  kept_fault: null,
  fault: null,
  stopped_by: null,
  look: null,
  run,
};

/** Draws the step; what it sends lands in the list. */
function show(part: Partial<FeedUpload>): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (_: string, { body }: RequestInit) => {
    if (body !== undefined) sent.push(JSON.parse(String(body)));
    return new Promise(() => undefined);
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <LanguageProvider lang="en">
        <RouterContextProvider router={router}>
          <ResultStep upload={{ ...upload, ...part }} takesFocus send={() => undefined} onArrived={() => undefined} />
        </RouterContextProvider>
      </LanguageProvider>
    </QueryClientProvider>,
  );
  return sent;
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

test("a dry run names its bad rows, and the button its number", async () => {
  const sent = show({});
  const row = screen.getByRole("row", { name: /on request/ });
  expect(row.textContent).toContain("rent");
  expect(row.textContent).toContain("no number");
  expect(document.activeElement?.textContent).toBe(en["imports.dry_run_complete"]);
  press("Import 6 homes");
  await vi.waitFor(() => expect(sent).toEqual([{ kind: "import", missing: "report", missing_limit: null }]));
});

test("missing homes are closed only once their number is typed", async () => {
  const sent = show({});
  fireEvent.click(screen.getByLabelText("Close them"));
  press("Import 6 homes, close 4");
  expect(sent).toEqual([]);
  const field = screen.getByLabelText("Type 4 to close them");
  expect(document.activeElement).toBe(field);
  expect(field.getAttribute("aria-invalid")).toBe("true");
  fireEvent.change(field, { target: { value: "4" } });
  press("Import 6 homes, close 4");
  await vi.waitFor(() => expect(sent).toEqual([{ kind: "import", missing: "withdraw", missing_limit: 4 }]));
});

test("a refused run says the missing homes against the limit", () => {
  show({ run: { ...run, outcome: "too_many_missing", missing: 52, let_homes: 189, missing_rule: "withdraw" } });
  expect(screen.getByRole("img", { name: "52 missing, 28% · Limit 37, 20%" })).toBeTruthy();
  expect(screen.getByRole("heading", { level: 2 }).textContent).toBe(en["imports.dry_run_refused"]);
});

test.each([
  ["stopped", { stage: "stopped", stopped_by: "server", run: { ...run, outcome: null } }, "imports.stopped_by_server"],
  ["failed", { stage: "failed", fault: "the disk is full" }, "imports.dry_run_failed_text"],
  ["broken", { run: { ...run, outcome: "stopped", reason: "the array breaks off" } }, "imports.dry_run_broken_text"],
] as const)("a %s dry run can be tried again", async (_, part, text) => {
  const sent = show(part);
  expect(screen.getByText(en[text], { exact: false })).toBeTruthy();
  press(en["imports.try_again"]);
  await vi.waitFor(() => expect(sent).toEqual([{ kind: "dry_run", missing: "report", missing_limit: null }]));
});

test("an import that is in leads to its homes", () => {
  show({ work: "import", run: { ...run, kind: "import", missing: 0 } });
  expect(screen.getByRole("link", { name: en["imports.see_homes"] }).getAttribute("href")).toBe(
    "/workspace/homes?feed=north",
  );
  expect(screen.queryByRole("button", { name: /Import/ })).toBeNull();
});
