import { expect, test } from "vitest";
import type { RoomType } from "../../contract/wire.ts";
import { silentTerms } from "../../testing/silentTerms.ts";
import { mergePrefill, type Prefill, prefillAnswers, stayOf, withoutPersonal } from "./prefill.ts";

const nothing: Prefill = {
  inventory_id: null,
  lead_uuid: null,
  configuration: null,
  university: null,
  lease_duration: null,
  move_in_date: null,
  email: null,
  phone: null,
  phone_code: null,
  first_name: null,
  last_name: null,
  bookform_source: null,
  show_submit_confirmation: false,
};

const rent = { amount_minor: 28_900, currency: "GBP", symbol: "£", decimals: 2, duration: "weekly" } as const;

function room(name: string, ids: string[]): RoomType {
  return {
    id: name,
    name: `${name}, large`,
    configuration: name,
    meta_types: { room_types: [], bathroom_types: [], kitchen_types: [] },
    facts: [],
    area_sqm: null,
    image: { path: "/a.svg", caption: "" },
    photos: [],
    plans: [],
    from: rent,
    rooms_left: 3,
    available: true,
    options: ids.map((inventory_id, at) => ({
      inventory_id,
      move_in_date: `2027-0${9 - at}-11`,
      lease_duration: 44,
      lease_duration_unit: "weeks",
      rooms_left: 1,
      price: rent,
      ...silentTerms,
    })),
  };
}

test("what names a person leaves the address bar, the rest stays", () => {
  const url =
    "/places/x/form?inventory_id=7&email=a%40b.c&phone%5Bfirst%5D=%2B34&fullName%5Bfirst%5D=Maya&lease_duration=44";
  expect(withoutPersonal(url)).toBe("/places/x/form?inventory_id=7&lease_duration=44");
  expect(withoutPersonal("/places/x/form?email=a%40b.c")).toBe("/places/x/form");
});

test("the link fills the form and every difference is told", () => {
  const link = prefillAnswers({ ...nothing, email: "new@x.org", first_name: "Maya", last_name: "Ramos" });
  const { answers, conflicts } = mergePrefill({ email: "old@x.org", city: "Leeds" }, link);
  expect(answers).toEqual({ email: "new@x.org", full_name: "Maya Ramos", city: "Leeds" });
  expect(conflicts).toEqual([{ field: "email", link: "new@x.org", typed: "old@x.org" }]);
  expect(mergePrefill({ email: "new@x.org" }, link).conflicts).toEqual([]);
});

test("a phone of the link keeps its country code", () => {
  expect(prefillAnswers({ ...nothing, phone: "612345678", phone_code: "ES +34" })).toEqual({ phone: "+34 612345678" });
  expect(prefillAnswers({ ...nothing, phone: "+34612345678", phone_code: "ES +34" })).toEqual({
    phone: "+34612345678",
  });
});

// A stay is found by its room's id, or by configuration, month and length.
test("a stay is found by room id or by room kind, month and length", () => {
  const rooms = [room("Studio Room", ["s1"]), room("Ensuite Room", ["e1", "e2"])];
  expect(stayOf({ ...nothing, inventory_id: "s1" }, rooms)).toBe("s1|2027-09-11|44");
  expect(stayOf({ ...nothing, inventory_id: "s1", move_in_date: "2027-08" }, rooms)).toBeNull();
  expect(stayOf({ ...nothing, configuration: "ensuite room", move_in_date: "2027-08" }, rooms)).toBe(
    "e2|2027-08-11|44",
  );
  expect(stayOf({ ...nothing, configuration: "Ensuite Room", lease_duration: "12 weeks" }, rooms)).toBeNull();
  expect(stayOf(nothing, rooms)).toBeNull();
});
