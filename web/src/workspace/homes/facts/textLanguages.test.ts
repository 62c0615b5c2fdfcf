import { expect, test } from "vitest";
import type { HomeFact } from "../../../contract/wire.ts";
import { NO_DRAFT } from "./homeEdit.ts";
import { addLanguages, listMissing } from "./textLanguages.ts";

const english: HomeFact = {
  fact: "description.en",
  value: "A brick building",
  from: "feed",
  feed: null,
  person: null,
  is_set: false,
  note: "",
  room_id: null,
};

const namesOf = (facts: readonly HomeFact[]) => facts.map(({ fact }) => fact);

test("an added language has one row", () => {
  expect(namesOf(addLanguages([english], NO_DRAFT, ["description.zh", "description.en", "name.zh"]))).toEqual([
    "description.en",
    "description.zh",
    "name.zh",
  ]);
  expect(listMissing([english], "description", ["en", "zh"])).toEqual(["zh"]);
  expect(listMissing([english], "name", ["zh"])).toEqual(["zh"]);
});

test("a text that was typed keeps its row after the page was left", () => {
  const draft = { typed: { "description.zh": { text: "砖楼", over: "" } }, given: [] };
  expect(namesOf(addLanguages([english], draft, []))).toEqual(["description.en", "description.zh"]);
});
