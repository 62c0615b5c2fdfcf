import { expect, test } from "vitest";
import {
  type FeedMap,
  listConstants,
  mapColumn,
  readColumn,
  readConstant,
  readMeaning,
  saysSame,
  setConstant,
  setMeaning,
  setWriting,
  splitField,
} from "./feedMap.ts";

const map: FeedMap = {
  columns: {
    property_id: "ref",
    photos: ["pic_1", "pic_2?"],
    price: { column: "rent", unit: "cents" },
    name: { column: "title", language: "zh" },
    country: { value: "GB" },
  },
};

test("a column says what it becomes, in each form of the map", () => {
  expect(readColumn(map, "ref")).toEqual({ field: "property_id", unit: null });
  expect(readColumn(map, "pic_2")).toEqual({ field: "photos", unit: null });
  expect(readColumn(map, "rent")).toEqual({ field: "price", unit: "cents" });
  expect(readColumn(map, "title")?.field).toBe("name_zh");
  expect(readColumn(map, "epc")).toBeNull();
});

test("a column becomes another field and leaves its old one", () => {
  const moved = mapColumn(map, "rent", { field: "deposit", unit: null });
  expect(moved.columns).toMatchObject({ deposit: "rent" });
  expect(readColumn(moved, "rent")?.field).toBe("deposit");
  expect(mapColumn(map, "ref", null).columns).not.toHaveProperty("property_id");
  expect(map.columns).toHaveProperty("property_id");
});

test("a list takes a further column behind its others", () => {
  expect(mapColumn(map, "pic_3", { field: "photos", unit: null }).columns?.["photos"]).toEqual([
    "pic_1",
    "pic_2?",
    "pic_3",
  ]);
  expect(mapColumn(map, "pic_1", null).columns?.["photos"]).toBe("pic_2?");
});

test("the unit of a column can be chosen and taken back", () => {
  expect(mapColumn(map, "rent", { field: "price", unit: null }).columns?.["price"]).toBe("rent");
  const sized = mapColumn(map, "area", { field: "size", unit: "sqft" });
  expect(readColumn(sized, "area")).toEqual({ field: "size", unit: "sqft" });
});

test("a constant stands beside a column, and goes without it", () => {
  expect(readConstant(map, "country")).toBe("GB");
  expect(listConstants(setConstant(map, "city", "Leeds"))).toEqual(["country", "city"]);
  expect(setConstant(map, "country", "").columns).not.toHaveProperty("country");
  const both = setConstant(map, "price", "100");
  expect(both.columns?.["price"]).toEqual({ column: "rent", unit: "cents", value: "100" });
  expect(readColumn(both, "rent")?.field).toBe("price");
});

test("a word has one meaning", () => {
  const meant = setMeaning(setMeaning(map, "room_type", "Twin", "shared room"), "room_type", "Twin", "studio");
  expect(readMeaning(meant, "room_type", "Twin")).toBe("studio");
  expect(setMeaning(meant, "room_type", "Twin", null).values).toEqual({});
});

test("maps that say the same are the same", () => {
  const again = mapColumn(mapColumn(map, "ref", null), "ref", { field: "property_id", unit: null });
  expect(saysSame(map, again)).toBe(true);
  expect(saysSame(map, { ...map, values: {}, decimal: null })).toBe(true);
  expect(saysSame(map, setWriting(map, "decimal", ","))).toBe(false);
  expect(saysSame(map, setWriting(setWriting(map, "decimal", ","), "decimal", ""))).toBe(true);
});

test("a field's language is told from its name", () => {
  const known = new Set(["name", "property_id"]);
  expect(splitField("name_zh", known)).toEqual({ field: "name", language: "zh" });
  expect(splitField("property_id", known)).toEqual({ field: "property_id", language: null });
  expect(splitField("name_of_it", known)).toEqual({ field: "name_of_it", language: null });
});
