import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import en from "../../../i18n/en/workspace.json";
import zh from "../../../i18n/zh/workspace.json";
import type { Lang, ReadModels, WorkspaceMe } from "../contract/wire.ts";
import { addTexts } from "../i18n/catalogue.ts";
import { LanguageProvider } from "../i18n/i18n.tsx";
import { newQueryClient } from "./queries.ts";
import { ReadModelsPage } from "./ReadModelsPage.tsx";
import { MeProvider } from "./session.ts";

addTexts("en", en);
addTexts("zh", zh);

afterEach(() => {
  vi.unstubAllGlobals();
});

const behind = "an event of this stream before it is parked";
const atFault = "check constraint `bed_count` failed";

const leftOut = (position: number, error: string) => ({
  error,
  event_type: "RoomOpened",
  position,
  since: null,
  stream: "room-7",
});

const me: WorkspaceMe = {
  user_id: "u",
  name: "Priya Nair",
  roles: ["admin"],
  can: { leads: true, finance: true, grants: true, unmask: true, refund_limit_minor: 0 },
  log_position: 90,
};

/** The page, of one read model that has left two events of one stream out and come to the end of the log. */
async function page(lang: Lang): Promise<HTMLElement> {
  const model = {
    error: null,
    kept_through: null,
    lag: 0,
    lag_seconds: 0,
    left_out: [leftOut(80, atFault), leftOut(81, behind)],
    name: "search",
    parked: 1,
    position: 90,
    version: 3,
  };
  const data: ReadModels = { folds_here: true, head: 90, owner: null, read_models: [model] };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ message: "success", data }))));
  render(
    <LanguageProvider lang={lang}>
      <QueryClientProvider client={newQueryClient()}>
        <MeProvider value={me}>
          <ReadModelsPage />
        </MeProvider>
      </QueryClientProvider>
    </LanguageProvider>,
  );
  return await screen.findByRole("article");
}

// A reason the page knows is in the reader's language, and any other stands below words that are.
test("known reasons are translated, others quoted below", async () => {
  const shown = (await page("zh")).textContent ?? "";
  expect(shown).toContain(zh["workspace.rm_behind_parked"]);
  expect(shown).not.toContain(behind);
  expect(shown).toContain(`${zh["workspace.rm_not_taken_in"]}${atFault}`);
  expect(screen.getByText(atFault).tagName).toBe("CODE");
});

// A read model that has left something out is not simply up to date.
test("a read model that left something out is not up to date", async () => {
  expect((await page("en")).textContent).toContain(en["workspace.rm_up_to_date_but"]);
});

test("the reason the page knows is the one the server gives", async () => {
  const { default: run } = await import("../../../projections/src/run.rs?raw");
  expect(run).toContain(`const BEHIND: &str = "${behind}";`);
});
