import { render, screen } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import texts from "../../../../i18n/en/search.json";
import { loadAreas } from "../../i18n/catalogue.ts";
import { fill } from "../../i18n/message.ts";
import { samplePage } from "../../testing/samplePage.ts";
import { readFilters } from "./filters.ts";
import { ZeroResults } from "./ZeroResults.tsx";

beforeAll(() => loadAreas("en", ["search", "ui"]));

const reading = { id: "reading", name: "Reading", canonical_name: "reading", homes: 12, distance_m: 40_000 };

/** A search that finds nothing: in a place with so many homes, near a university or not. */
function show({ total = 0, isUniversity = false, nearest = [reading] }): void {
  const url = "/places/search/oxford";
  const page = samplePage("search", url, {
    region: { name: "Oxford", period: "weekly", currency: "GBP", budget_range: [0, 1000] },
    center: { lat: 51.75, lng: -1.26, label: "Oxford", is_university: isUniversity },
    total_in_region: total,
    nearest,
    search: { meta: { count: 0 }, facets: {}, result: [], pins: [] },
  });
  render(<ZeroResults page={page} filters={readFilters(url)} onChange={() => undefined} />);
}

const heading = (key: "search.none_in" | "search.none_near" | "search.zero") =>
  screen.getByRole("heading", { name: fill(texts[key], { place: "Oxford" }, "en") });

test("a place without homes names the nearest city with homes", () => {
  show({});
  expect(heading("search.none_in")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Reading" }).getAttribute("href")).toBe("/places/search/reading");
});

test("a university without homes is said to have none near it", () => {
  show({ isUniversity: true });
  expect(heading("search.none_near")).toBeTruthy();
});

test("a place far from all homes offers to look for one", () => {
  show({ nearest: [] });
  expect(screen.getByText(texts["search.zero_no_filters"])).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});

test("a place whose homes are hidden is not said to have none", () => {
  show({ total: 12 });
  expect(heading("search.zero")).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});
