import { expect, test } from "vitest";
import type { FeedColumn, FeedUpload } from "../../feedCalls.ts";
import { listRows } from "./columnRows.ts";
import { type FeedMap, mapColumn, setMeaning } from "./feedMap.ts";

const column = (name: string, field: string | null, part: Partial<FeedColumn> = {}): FeedColumn => ({
  name,
  samples: [],
  field,
  could_be: null,
  is_mapped: field !== null,
  words: [],
  ...part,
});

const map: FeedMap = { columns: { room_type: "kind", name_zh: "title", price: "rent" } };

const upload: Pick<FeedUpload, "look" | "map"> = {
  map,
  look: {
    format: "csv",
    list: "",
    records: 2,
    has_unreadable_letters: false,
    checked: 2,
    homes: [],
    rejected: [{ line: 2, home: "a", outcome: "lease rejected", path: "rent", value: "1.050", reason: "two ways" }],
    columns: [
      column("epc", null, { could_be: "bills" }),
      column("id", "property_id", { is_mapped: false }),
      column("title", "name_zh"),
      column("kind", "room_type", { words: [{ word: "Sky Pod", meaning: null, is_known: false }] }),
      column("rent", "price"),
    ],
  },
};

const known = new Set(["property_id", "name", "room_type", "price", "bills"]);
const rowsOf = (edited: FeedMap) => listRows(upload, edited, known);
const findRow = (edited: FeedMap, name: string) => rowsOf(edited).find((row) => row.column.name === name);

test("columns that need somebody come first, unread ones last", () => {
  expect(rowsOf(map).map((row) => row.column.name)).toEqual(["kind", "rent", "id", "title", "epc"]);
  expect(findRow(map, "rent")?.doubt).toBe("two ways");
  expect(findRow(map, "epc")?.becomes).toBeNull();
});

test("a field is told with its language, or by its own name", () => {
  expect(findRow(map, "title")?.becomes).toEqual({ field: "name", language: "zh", unit: null });
  expect(findRow(map, "id")?.becomes?.field).toBe("property_id");
});

test("a word with a meaning asks no more and keeps its place", () => {
  const meant = setMeaning(map, "room_type", "Sky Pod", "studio");
  expect(findRow(meant, "kind")?.asks).toBe(false);
  expect(rowsOf(meant)[0]?.column.name).toBe("kind");
  expect(findRow(setMeaning(meant, "room_type", "Sky Pod", null), "kind")?.asks).toBe(true);
});

test("a column that is left out of the map is read by nothing", () => {
  expect(findRow(mapColumn(map, "rent", null), "rent")).toMatchObject({ becomes: null, asks: false });
  const used = mapColumn(map, "epc", { field: "bills", unit: null });
  expect(findRow(used, "epc")?.becomes?.field).toBe("bills");
});
