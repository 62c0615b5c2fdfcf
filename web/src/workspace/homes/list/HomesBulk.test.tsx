import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import en from "../../../../../i18n/en/homes.json";
import workspace from "../../../../../i18n/en/workspace.json";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { newQueryClient } from "../../queries.ts";
import type { HomeRow } from "../homeCalls.ts";
import { HomesBulk } from "./HomesBulk.tsx";

addTexts("en", { ...workspace, ...en });

afterEach(() => {
  vi.unstubAllGlobals();
});

const home: HomeRow = {
  home_id: "h",
  name: "Portland Court",
  canonical_name: "portland-court",
  address: "",
  city: null,
  provider: null,
  feed: null,
  feed_id: null,
  state: "active",
  reopens_on: null,
  picture: null,
  photos: 0,
  leases: 0,
  rooms: 4,
  booked: 0,
  held: 0,
  free: 4,
  is_count_said: true,
  from_minor: null,
  currency: "GBP",
  period: "weekly",
  lacks: [],
  changed_at: "2026-11-27T10:14:00Z",
  changed_by: { kind: "staff", label: "" },
  changed_what: "listed",
};

test("an act that was answered is done anew when asked again", async () => {
  const keys: (string | null)[] = [];
  let sent: unknown;
  vi.stubGlobal("fetch", (_: string, { headers, body }: RequestInit) => {
    sent = JSON.parse(String(body));
    keys.push(new Headers(headers).get("idempotency-key"));
    const verdict = { home_id: "h", name: "Portland Court", verdict: "done", code: null, why: null };
    return Promise.resolve(Response.json({ message: "success", data: [verdict], position: 1 }));
  });
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={newQueryClient()}>
        <HomesBulk homes={[home]} isPausing={false} onPaused={() => undefined} onClear={() => undefined} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  const pause = async () => {
    const answered = keys.length;
    fireEvent.click(screen.getByRole("button", { name: en["homes.act_pause"] }));
    const dialog = within(await screen.findByRole("dialog"));
    fireEvent.click(dialog.getByRole("radio", { name: en["homes.reason_provider_asked"] }));
    fireEvent.change(dialog.getByRole("textbox"), { target: { value: "No heating" } });
    fireEvent.click(dialog.getByRole("button", { name: en["homes.pause_go"] }));
    await vi.waitFor(() => expect(keys).toHaveLength(answered + 1));
    await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  };
  await pause();
  await pause();
  const reason = `${en["homes.reason_provider_asked"]}: No heating`;
  expect(sent).toEqual({ act: "pause", homes: ["h"], reason, reopens_on: null });
  expect(keys[0]).not.toBeNull();
  expect(keys[1]).not.toBe(keys[0]);
});
