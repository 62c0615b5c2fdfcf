import { expect, test } from "vitest";
import {
  buildEdit,
  type Draft,
  keepMine,
  listFaults,
  listOvertaken,
  NO_DRAFT,
  type Place,
  readDegrees,
  typeOver,
  writeFields,
} from "./placeEdit.ts";

const leeds: Place = {
  id: "p1",
  revision: 3,
  name: "Leeds",
  local_names: { zh: "利兹" },
  found_by: ["LS1", "LS2"],
  canonical_name: "leeds",
  kind: "locality",
  country: "GB",
  lies_in: "England",
  centre: { lat: 53.8, lng: -1.55 },
  bounds: { southwest: { lat: 53.7, lng: -1.8 }, northeast: { lat: 53.9, lng: -1.3 } },
  time_zone: "Europe/London",
  homes: 4,
  is_mended: false,
};

const shown = writeFields(leeds, ["zh", "fr"]);
const type = (draft: Draft, field: string, text: string) => typeOver(draft, field, shown[field] ?? "", text);

test("a correction carries what was typed alone", () => {
  let draft = type(NO_DRAFT, "found_by", " LS1 \n\nLS3");
  draft = type(draft, "name.fr", "Leeds-sur-Aire");
  draft = type(draft, "name.zh", " ");
  draft = type(draft, "lat", "53,79648");
  expect(buildEdit(leeds, draft, " The centre was in a field ")).toEqual({
    revision: 3,
    reason: "The centre was in a field",
    found_by: ["LS1", "LS3"],
    local_names: { fr: "Leeds-sur-Aire", zh: null },
    centre: { lat: 53.79648, lng: -1.55 },
  });
  expect(type(type(NO_DRAFT, "name", "Leods"), "name", "Leeds")).toEqual(NO_DRAFT);
});

test("empty names and degrees off the earth are faults", () => {
  expect(listFaults(type(type(NO_DRAFT, "name", " "), "lat", "91"))).toEqual(["name", "lat"]);
  expect(listFaults(type(NO_DRAFT, "lng", "-179.5"))).toEqual([]);
  expect(readDegrees("soon", 90)).toBeNull();
  expect(readDegrees("", 90)).toBeNull();
});

test("fields that others corrected meanwhile are named", () => {
  const draft = type(type(NO_DRAFT, "name", "Leods"), "found_by", "LS9");
  const now = writeFields({ ...leeds, name: "Leeds City" }, ["zh", "fr"]);
  expect(listOvertaken(draft, shown)).toEqual([]);
  expect(listOvertaken(draft, now)).toEqual(["name"]);
  expect(listOvertaken(keepMine(draft, now), now)).toEqual([]);
  expect(keepMine(draft, now).name?.text).toBe("Leods");
});
