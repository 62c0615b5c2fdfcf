import { expect, test } from "vitest";
import type { Lead } from "../contract/wire.ts";
import { sampleLead } from "../testing/sampleLead.ts";
import { clashesOf, leadDifference, withoutClashes } from "./leadChange.ts";

const lead: Lead = { ...sampleLead, data: { move_in_date: "2027-09-11", lease_duration: "44 weeks" } };

const moved: Lead = { ...lead, version: 2, data: { ...lead.data, move_in_date: "2027-10-01" } };

test("what only the other tab changed is no clash", () => {
  expect(clashesOf(lead, { "data/lease_duration": "51 weeks", "data/move_in_date": "2027-09-11" }, moved)).toEqual([]);
});

test("what both tabs changed to different words is asked about", () => {
  const changes = { "data/move_in_date": "2027-11-01", "data/lease_duration": null };
  const clashes = clashesOf(lead, changes, moved);
  expect(clashes).toEqual([{ field: "data/move_in_date", here: "2027-11-01", there: "2027-10-01" }]);
  expect(withoutClashes(changes, clashes)).toEqual({ "data/lease_duration": null });
});

test("what both tabs changed to the same is no clash", () => {
  expect(clashesOf(lead, { "data/move_in_date": "2027-10-01" }, moved)).toEqual([]);
});

test("what changed is named field by field", () => {
  expect(leadDifference(lead, moved)).toEqual([
    { field: "data/move_in_date", before: "2027-09-11", after: "2027-10-01" },
  ]);
});
