import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import en from "../../../../../i18n/en/homes.json";
import inventory from "../../../../../i18n/en/inventory.json";
import workspace from "../../../../../i18n/en/workspace.json";
import type { HomeFact, HomeValues } from "../../../contract/wire.ts";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { newQueryClient } from "../../queries.ts";
import type { StaffHome } from "../homeCalls.ts";
import { HomeFacts } from "./HomeFacts.tsx";

addTexts("en", { ...workspace, ...inventory, ...en });

afterEach(() => {
  vi.unstubAllGlobals();
});

const said = { at: "2026-11-24T16:40:00Z", by: { kind: "staff" as const, label: "Priya Nair" }, correlation_id: "c" };

function fact(name: string, value: HomeFact["value"], given: Partial<HomeFact> = {}): HomeFact {
  const feed = { ...said, value, position: 1, reason: null };
  return { fact: name, value, from: "feed", feed, person: null, is_set: false, note: "", room_id: null, ...given };
}

const home = (homeId: string): StaffHome => ({
  home_id: homeId,
  name: "Portland Court",
  canonical_name: "portland-court",
  position: 4711,
  state: "active",
  reopens_on: null,
  closed_by: null,
  merged_into: null,
  provider: null,
  feed: "north",
  feed_id: "1",
  country: "uk",
  city: null,
  area: null,
  currency: "GBP",
  period: "weekly",
  listed_at: "2026-09-02T06:00:00Z",
  changed_at: "2026-11-27T10:14:00Z",
  url: "/places/portland-court",
  pictures: [],
  rooms: [],
  stakes: { free: 0, held: 0, booked: 0, waiting: 0 },
  can: [],
  last_run: null,
  doubles: [],
  phones: [],
  email: null,
  source_link: null,
});

let values: HomeValues;
let sent: unknown[];
/** Answers an edit; the next one is refused where it gives a status. */
let refusal: number | null;

beforeEach(() => {
  const set = fact("bills_included", "apart", {
    from: "person",
    person: { ...said, value: "apart", position: 2, reason: "Agent phoned" },
    feed: { ...said, value: "included", position: 1, reason: null },
    is_set: true,
  });
  const facts = [fact("name", "Portland Court"), fact("guarantor", null), set];
  values = { home_id: "h", name: "", feed: "north", position: 4711, currency: "GBP", period: "weekly", values: facts };
  sent = [];
  refusal = null;
  vi.stubGlobal("fetch", (_: string, { method, body }: RequestInit) => {
    if (method !== "PATCH") return Promise.resolve(Response.json({ message: "success", data: values }));
    sent.push(JSON.parse(String(body)));
    if (refusal === null) return Promise.resolve(Response.json({ message: "success", data: values, position: 1 }));
    const failure = {
      message: { code: "changed_meanwhile", user_friendly_message: "Somebody changed this home" },
      errors: [],
      request_id: "r",
    };
    return Promise.resolve(Response.json(failure, { status: refusal }));
  });
});

function show(homeId: string): void {
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={newQueryClient()}>
        <HomeFacts home={home(homeId)} part="facts" />
      </QueryClientProvider>
    </LanguageProvider>,
  );
}

const nameField = () => screen.findByRole("textbox", { name: en["homes.fact_name"] });

async function saveWith(reason: string): Promise<void> {
  fireEvent.click(screen.getByRole("button", { name: en["homes.save_with_reason"] }));
  const dialog = await screen.findByRole("dialog");
  fireEvent.change(within(dialog).getByRole("textbox"), { target: { value: reason } });
  fireEvent.click(within(dialog).getByRole("button", { name: en["homes.save"] }));
}

test("what was typed is shown to students and kept on leaving", async () => {
  show("kept");
  fireEvent.change(await nameField(), { target: { value: "Portland Yard" } });
  expect(screen.getByRole("heading", { level: 3 }).textContent).toBe("Portland Yard");
  cleanup();
  show("kept");
  expect(await nameField()).toHaveProperty("value", "Portland Yard");
});

test("a value meanwhile changed by others is chosen, then sent", async () => {
  show("conflict");
  fireEvent.change(await nameField(), { target: { value: "Portland Yard" } });
  refusal = 409;
  values = { ...values, position: 4712, values: [fact("name", "Portland House"), ...values.values.slice(1)] };
  await saveWith("Seen on site");
  const theirs = en["homes.changed_meanwhile"].replace("{value}", "Portland House");
  await screen.findByText(theirs);
  // No second press sends over what a colleague typed before it was read.
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(await nameField()).toHaveProperty("value", "Portland Yard");
  fireEvent.click(screen.getByRole("button", { name: en["homes.keep_mine"] }));
  expect(screen.queryByText(theirs)).toBeNull();
  refusal = null;
  await saveWith("Seen on site");
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ position: 4712, reason: "Seen on site", name: "Portland Yard" });
});

test("a home that no feed lists says nothing of a feed", async () => {
  const edited = { ...said, value: "Portland Court", position: 2, reason: "Agent phoned" };
  const name = fact("name", "Portland Court", { from: "person", feed: null, person: edited, is_set: true });
  values = { ...values, feed: null, values: [name] };
  show("ours");
  await nameField();
  expect(screen.getByText(en["homes.reason_said"].replace("{reason}", "Agent phoned"))).toBeTruthy();
  expect(screen.queryByText(en["homes.feed_says"].replace("{value}", en["homes.not_said"]))).toBeNull();
  expect(screen.queryByRole("button", { name: new RegExp(en["homes.take_feeds"]) })).toBeNull();
});

test("a person's value goes back to the feed's", async () => {
  show("given");
  await nameField();
  expect(screen.getByText(en["homes.feed_says"].replace("{value}", en["homes.bills_included"]))).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: new RegExp(en["homes.take_feeds"]) }));
  await saveWith("The feed is right");
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ position: 4711, reason: "The feed is right", unset: ["bills_included"] });
});

test("the page beside the edit is read in another language", async () => {
  values = { ...values, values: [...values.values, fact("name.zh", "波特兰公寓"), fact("description.zh", "砖楼")] };
  show("languages");
  await nameField();
  expect(screen.getByRole("heading", { level: 3 }).textContent).toBe("Portland Court");
  fireEvent.click(screen.getByRole("button", { name: "中文" }));
  expect(screen.getByRole("heading", { level: 3 }).textContent).toBe("波特兰公寓");
});
