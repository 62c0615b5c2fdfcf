import { QueryClientProvider } from "@tanstack/react-query";
import { RouterContextProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import en from "../../../../i18n/en/imports.json";
import workspace from "../../../../i18n/en/workspace.json";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { newQueryClient } from "../queries.ts";
import { router } from "../router.tsx";
import { FeedTable } from "./FeedTable.tsx";
import { type Feed, feedsQuery } from "./feedCalls.ts";
import { readEvery } from "./ScheduleDialog.tsx";

addTexts("en", { ...workspace, ...en });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const here: Feed = {
  name: "north",
  set_in: "here",
  host: "feeds.example",
  every: "6h",
  missing: "withdraw",
  is_paused: false,
  version: 3,
  changed_by: "Ada Okafor",
  changed_at: null,
  has_map: true,
  state: null,
  last_run: null,
};

interface Sent {
  method: string | undefined;
  url: string;
  body: unknown;
}

/** Draws the feeds; requests other than reads land in the list. */
function show(...feeds: Feed[]): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (url: string, { method, body }: RequestInit) => {
    if (method !== "GET") sent.push({ method, url, body: typeof body === "string" ? JSON.parse(body) : null });
    return new Promise(() => undefined);
  });
  const client = newQueryClient();
  client.setQueryData(feedsQuery.queryKey, { feeds });
  render(
    <QueryClientProvider client={client}>
      <LanguageProvider lang="en">
        <RouterContextProvider router={router}>
          <FeedTable />
        </RouterContextProvider>
      </LanguageProvider>
    </QueryClientProvider>,
  );
  return sent;
}

const rowOf = (name: string) => within(screen.getByRole("row", { name: new RegExp(name) }));

test("a feed of the settings says so and is changed there alone", () => {
  show({ ...here, name: "york", set_in: "setting", version: null });
  const row = rowOf("york");
  expect(row.getByText(en["imports.set_in_settings"])).toBeTruthy();
  expect(row.queryByRole("switch")).toBeNull();
  expect(row.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Read now york"]);
});

test("a feed that came by file alone gets a schedule", () => {
  show({ ...here, name: "files", set_in: null, host: null, every: null, missing: null, version: null });
  const row = rowOf("files");
  expect(row.getByText(en["imports.no_schedule"])).toBeTruthy();
  expect(row.queryByRole("button", { name: /Read now/ })).toBeNull();
});

test("a pause keeps address, map and version", async () => {
  const sent = show(here);
  fireEvent.click(rowOf("north").getByRole("switch"));
  const body = { url: null, every: "6h", missing: "withdraw", is_paused: true, map: null, version: 3 };
  await vi.waitFor(() => expect(sent).toEqual([{ method: "PUT", url: "/api/v0/workspace/feeds/north", body }]));
});

test("an interval is read in its unit, a day where there is none", () => {
  expect(readEvery("90m")).toEqual({ count: "90", unit: "m" });
  expect(readEvery("6h")).toEqual({ count: "6", unit: "h" });
  expect(readEvery(null)).toEqual({ count: "1", unit: "d" });
});
