import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import en from "../../../../../i18n/en/homes.json";
import workspace from "../../../../../i18n/en/workspace.json";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { newQueryClient } from "../../queries.ts";
import type { StaffHome, StaffRoom } from "../homeCalls.ts";
import { RoomActs } from "./RoomActs.tsx";

addTexts("en", { ...workspace, ...en });

afterEach(() => {
  vi.unstubAllGlobals();
});

type Lease = StaffRoom["leases"][number];

const autumn: Lease = { move_in: "2027-09-11", length: "44 weeks", price_minor: 18_900, rooms_available: 4 };
const spring: Lease = { move_in: "2028-01-08", length: "20 weeks", price_minor: 21_000, rooms_available: 4 };

const home = (position: number, leases: Lease[]): StaffHome => ({
  home_id: "h",
  name: "Portland Court",
  canonical_name: "portland-court",
  position,
  state: "draft",
  reopens_on: null,
  closed_by: null,
  merged_into: null,
  provider: null,
  feed: null,
  feed_id: null,
  country: "uk",
  city: null,
  area: null,
  currency: "GBP",
  period: "weekly",
  listed_at: "2026-09-02T06:00:00Z",
  changed_at: "2026-11-27T10:14:00Z",
  url: "/places/portland-court",
  pictures: [],
  rooms: [{ room_id: "r", name: { en: "Studio" }, types: [], size_sqm: null, rooms: 4, is_count_said: true, leases }],
  stakes: { free: 4, held: 0, booked: 0, waiting: 0 },
  can: [],
  last_run: null,
  doubles: [],
  phones: [],
  email: null,
  source_link: null,
});

test("a lease that a colleague added meanwhile stays", async () => {
  const sent: unknown[] = [];
  let refusal: number | null = 409;
  vi.stubGlobal("fetch", (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    if (refusal === null) return Promise.resolve(Response.json({ message: "success", data: home(3, []), position: 3 }));
    const message = { code: "changed_meanwhile", user_friendly_message: "Somebody changed this home" };
    return Promise.resolve(Response.json({ message, errors: [], request_id: "r" }, { status: refusal }));
  });
  const client = newQueryClient();
  const shown = (one: StaffHome) => (
    <LanguageProvider lang="en">
      <QueryClientProvider client={client}>
        <RoomActs home={one} />
      </QueryClientProvider>
    </LanguageProvider>
  );
  const { rerender } = render(shown(home(1, [autumn])));
  fireEvent.click(screen.getByRole("button", { name: new RegExp(`^${en["homes.add_lease"]}`) }));
  const dialog = within(await screen.findByRole("dialog"));
  // The room type is there already: nothing of it is typed that would not be sent.
  expect(dialog.queryByLabelText(en["homes.fact_count"])).toBeNull();
  const type = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  type(en["homes.move_in"], "2028-06-10");
  // However long the lease is, its price is for what the home's prices are for.
  const unit = dialog.getByLabelText(en["homes.length_unit"]);
  fireEvent.change(unit, { target: { value: "months" } });
  type(en["homes.price_week"], "195");
  fireEvent.change(unit, { target: { value: "weeks" } });
  type(en["homes.why"], "Summer stays");
  const send = () => fireEvent.click(dialog.getByRole("button", { name: en["homes.add_lease"] }));
  send();
  await dialog.findByText("Somebody changed this home");
  rerender(shown(home(2, [autumn, spring])));
  refusal = null;
  send();
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  const summer = { move_in: "2028-06-10", length: "44 weeks", price_minor: 19_500 };
  expect(sent[0]).toEqual({ position: 1, reason: "Summer stays", leases: [autumn, summer] });
  expect(sent[1]).toEqual({ position: 2, reason: "Summer stays", leases: [autumn, spring, summer] });
});

test("a lease is taken away, and the others are sent as they are", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return Promise.resolve(Response.json({ message: "success", data: home(4, [spring]), position: 4 }));
  });
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={newQueryClient()}>
        <RoomActs home={home(3, [autumn, spring])} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  const [first] = screen.getAllByRole("button", { name: new RegExp(`^${en["homes.remove_lease"]} Studio`) });
  fireEvent.click(first ?? document.body);
  const dialog = within(await screen.findByRole("dialog"));
  fireEvent.change(dialog.getByRole("textbox"), { target: { value: "Not let any more" } });
  fireEvent.click(dialog.getByRole("button", { name: en["homes.remove_lease"] }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ position: 3, reason: "Not let any more", leases: [spring] });
});
