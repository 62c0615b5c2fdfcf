import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeAll, expect, test } from "vitest";
import search from "../../../../i18n/en/search.json";
import { loadAreas } from "../../i18n/catalogue.ts";
import { fill } from "../../i18n/message.ts";
import { samplePage } from "../../testing/samplePage.ts";
import { BudgetFilter } from "./BudgetFilter.tsx";
import { type Filters, readFilters } from "./filters.ts";

beforeAll(() => loadAreas("en", ["search", "ui", "numbers"]));

const url = "/places/search/london";
const page = samplePage("search", url, {
  region: { period: "weekly", currency: "GBP", budget_range: [0, 1000] },
  search: { facets: { budget: [] }, result: [] },
});

function Drawer() {
  const [draft, setDraft] = useState<Filters>(() => readFilters(url));
  return <BudgetFilter page={page} draft={draft} onChange={setDraft} />;
}

function type(label: string, text: string): void {
  const field = screen.getByLabelText(label, { selector: "input[inputmode]" });
  fireEvent.change(field, { target: { value: text } });
  fireEvent.blur(field);
}

test("a highest price below the lowest says what to write", () => {
  render(<Drawer />);
  const said = fill(search["search.budget_crossed"], { lowest: "300" }, "en");
  type(search["search.lowest"], "300");
  expect(screen.queryByText(said)).toBeNull();
  type(search["search.highest"], "200");
  expect(screen.getByText(said)).toBeTruthy();
  type(search["search.highest"], "350");
  expect(screen.queryByText(said)).toBeNull();
});
