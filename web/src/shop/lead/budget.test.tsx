import { fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import numbers from "../../../../i18n/en/numbers.json";
import { loadAreas } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { fill, type MessageParams } from "../../i18n/message.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import { LeadContinuationPage } from "./LeadContinuationPage.tsx";

beforeAll(() => Promise.all([loadAreas("en", ["lead", "ui", "numbers"]), loadAreas("zh", ["lead", "ui", "numbers"])]));

const said = (doubt: "two_ways" | "none", params: MessageParams) =>
  fill(numbers[`numbers.${doubt}`], { field: "Budget", ...params }, "en");

const home: LeadInventory = {
  id: "h",
  name: "Meadow Gate",
  canonical_name: "meadow-gate",
  available: true,
  bookable: true,
  flow: "book",
  region: { id: "r", name: "Edinburgh", canonical_name: "edinburgh", country_key: "uk" },
  image: null,
  price: { amount_minor: 25_000, currency: "GBP", symbol: "£", decimals: 2, duration: "weekly" },
  room_inventory_id: null,
  configuration: null,
  move_in_date: null,
  lease_duration: null,
};

/** Presses save with this budget typed, and answers what was saved. */
function save(budget: string, lang: "en" | "zh" = "en") {
  const onSave = vi.fn();
  const draft = { values: { budget }, restored: false, set: vi.fn(), take: vi.fn() };
  const { container } = render(
    <LanguageProvider lang={lang}>
      <LeadContinuationPage
        formId="f"
        inventory={home}
        draft={draft}
        received=""
        failed={false}
        asksRoom
        onSave={onSave}
      />
    </LanguageProvider>,
  );
  for (const form of container.querySelectorAll("form")) fireEvent.submit(form);
  return onSave.mock.calls[0]?.[0]?.["data/budget"];
}

test("a budget is saved as it is typed, with a comma or a point", () => {
  for (const [typed, budget] of [
    ["250", 250],
    ["250,00", 250],
    ["£250.0", 250],
    ["1,250.00", 1_250],
    ["２５０", 250],
    ["", null],
  ] as const)
    expect([typed, save(typed)]).toEqual([typed, budget]);
});

test("a budget with pence is not saved", () => {
  for (const typed of ["250.5", "250,50", "£0.05"]) expect([typed, save(typed)]).toEqual([typed, undefined]);
  expect(screen.getAllByText(/^Budget: .*whole/i).length).toBeGreaterThan(0);
});

test("a doubted budget is not saved, and what to write is said", () => {
  expect(save("1,250")).toBeUndefined();
  expect(screen.getByText(said("two_ways", { typed: "1,250", first: "1250", second: "1.25" }))).toBeTruthy();
  expect(save("250-300")).toBeUndefined();
  expect(screen.getByText(said("none", { example: "12.50" }))).toBeTruthy();
  expect(save("€250", "zh")).toBeUndefined();
  expect(screen.getByText("预算以 GBP 计。请只写数字，例如 12.50")).toBeTruthy();
});
