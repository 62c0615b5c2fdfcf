import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import en from "../../../../../i18n/en/homes.json";
import workspace from "../../../../../i18n/en/workspace.json";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { newQueryClient } from "../../queries.ts";
import type { StaffHome } from "../homeCalls.ts";
import { HomePhotos } from "./HomePhotos.tsx";
import type { HomePhoto } from "./photoCalls.ts";

addTexts("en", { ...workspace, ...en });

afterEach(() => {
  vi.unstubAllGlobals();
});

const home = (home_id: string): StaffHome => ({
  home_id,
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
  phones: [],
  email: null,
  source_link: null,
  pictures: [],
  rooms: [],
  stakes: { free: 0, held: 0, booked: 0, waiting: 0 },
  can: [],
  last_run: null,
  doubles: [],
});

const photo = (photo_id: string, caption: string, given: Partial<HomePhoto> = {}): HomePhoto => ({
  photo_id,
  room_id: null,
  is_named: true,
  kind: "exterior",
  caption: { en: caption },
  alt: {},
  state: "ready",
  refusal: null,
  why: null,
  answered: null,
  tried_at: null,
  next_try_at: null,
  source: { kind: "feed", feed: "north", run_id: null, by: null, at: "2026-11-24T16:40:00Z" },
  host: "pictures.example",
  width: 1200,
  height: 800,
  bytes: 1,
  format: "jpeg",
  preview: null,
  thumbnail: `/${photo_id}.webp`,
  sizes: [],
  taken_down_at: null,
  restorable_until: null,
  can: ["take_down"],
  ...given,
});

const street = photo("a", "Street");
const lounge = photo("b", "Lounge");
const dead = photo("c", "Courtyard", {
  state: "dead",
  why: "The address answers 404",
  tried_at: "2026-11-19T06:00:00Z",
  can: ["retry"],
});

let sent: { path: string; body: unknown }[];

beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    const data = path.includes("/values")
      ? { home_id: "h", name: "", feed: "north", position: 1, currency: "GBP", period: "weekly", values: [] }
      : { position: 12, most: 200, photos: [street, lounge, dead] };
    if (method !== "GET") sent.push({ path, body: JSON.parse(String(body)) });
    return Promise.resolve(Response.json({ message: "success", data, position: 12 }));
  });
});

function show(homeId: string): void {
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={newQueryClient()}>
        <HomePhotos home={home(homeId)} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
}

const captions = () => screen.getAllByRole("listitem").map((item) => item.querySelector(".photo-name")?.textContent);

test("a photo is moved by keys, and the whole list is sent", async () => {
  show("keys");
  const handle = await screen.findByRole("button", { name: `${en["homes.photo_move"]} Street` });
  // An arrow moves nothing that was not lifted.
  fireEvent.keyDown(handle, { key: "ArrowRight" });
  expect(captions()).toEqual(["Street", "Lounge", "Courtyard"]);
  fireEvent.click(handle);
  fireEvent.keyDown(handle, { key: "ArrowRight" });
  expect(captions()).toEqual(["Lounge", "Street", "Courtyard"]);
  expect(screen.getByRole("status").textContent).toContain("Street, place 2 of 3");
  fireEvent.keyDown(handle, { key: "Escape" });
  expect(captions()).toEqual(["Street", "Lounge", "Courtyard"]);
  fireEvent.click(handle);
  fireEvent.keyDown(handle, { key: "ArrowRight" });
  fireEvent.click(screen.getByRole("button", { name: en["homes.save_with_reason"] }));
  const dialog = within(await screen.findByRole("dialog"));
  fireEvent.change(dialog.getByLabelText(en["homes.why"]), { target: { value: "The lounge first" } });
  fireEvent.click(dialog.getByRole("button", { name: en["homes.save"] }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    position: 12,
    reason: "The lounge first",
    photos: ["b", "a", "c"].map((photo_id) => ({ photo_id, room_id: null })),
  });
});

test("a photo that is not there says why and is asked for again", async () => {
  show("dead");
  await screen.findByText("The address answers 404");
  fireEvent.click(screen.getByRole("button", { name: `${en["homes.photo_retry"]} Courtyard` }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ path: "/api/v0/workspace/homes/dead/photos/retry", body: { photo_id: "c" } });
});

test("words of a photo are typed by language and saved", async () => {
  show("words");
  fireEvent.click(await screen.findByRole("button", { name: `${en["homes.photo_edit"]} Street` }));
  const dialog = within(await screen.findByRole("dialog"));
  const alt = en["homes.photo_alt"].replace("{language}", "English");
  fireEvent.change(dialog.getByLabelText(alt), { target: { value: "Brick front with blue doors" } });
  fireEvent.click(dialog.getByRole("button", { name: en["homes.photo_edit_done"] }));
  await screen.findByText("1 change, not saved");
  expect(screen.getByRole("img", { name: "Brick front with blue doors" })).toBeTruthy();
  expect(sent).toEqual([]);
});
