import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import brandTexts from "../../../../../i18n/en/brand.json";
import numbers from "../../../../../i18n/en/numbers.json";
import workspace from "../../../../../i18n/en/workspace.json";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import type { Brand, BrandColours, BrandValues } from "../brandCalls.ts";
import { BrandForm } from "./BrandForm.tsx";

addTexts("en", { ...workspace, ...numbers, ...brandTexts });

afterEach(cleanup);

const colours: BrandColours = {
  tokens: { brand: "#E8A33D", "brand-0": "#EAAC50", foot: "#F7F5F1" },
  contrasts: [
    { place: "button", text: "#FFFFFF", ground: "#A46A13", ratio: 4.53, chosen: "#E8A33D", chosen_ratio: 2.15 },
    { place: "footer", text: "#17181C", ground: "#F7F5F1", ratio: 16.2, chosen: null, chosen_ratio: null },
  ],
};

const house: Brand = {
  revision: 3,
  draft: { name: "Quayside", support: [{ country: "uk", phone: "+44 117 496 0142" }, { email: "a@b.example" }] },
  changed: [],
  drafted_by: null,
  drafted_at: null,
  colours,
  published: null,
  given: [],
  pictures: [],
};

function show(part: Partial<Brand>, faults: [string, string][] = []) {
  const change = vi.fn<(values: BrandValues) => void>();
  const brand = { ...house, ...part };
  const desk = { brand, shown: brand.draft, faults: new Map(faults), isPast: false, change };
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={new QueryClient()}>
        <h1 id="brand-title">Brand</h1>
        <BrandForm desk={desk} colours={colours} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  return change;
}

const partOf = (title: string) => {
  const part = screen.getByText(title, { selector: "summary *" }).closest("details");
  if (part === null) throw new Error(`no part is called ${title}`);
  return part;
};

test("each closed line shows the value of its part", () => {
  show({});
  expect(partOf("Name and tagline").querySelector("summary")?.textContent).toContain("Quayside");
  expect(partOf("Support by country").querySelector("summary")?.textContent).toContain(
    "United Kingdom, Everywhere else",
  );
  expect(partOf("Colours").querySelector("summary")?.textContent).toContain("1 colour is corrected");
  expect(partOf("Font").querySelector("summary")?.textContent).toContain("Default");
});

test("a name that the environment sets is shown as set there", () => {
  show({ given: [{ name: "name", value: "Wharf", source: "environment" }] });
  const field = screen.getByRole("textbox", { name: "Name" });
  expect(field).toHaveProperty("disabled", true);
  expect(field).toHaveProperty("value", "Wharf");
  expect(screen.getByText(brandTexts["brand.given_environment"])).toBeTruthy();
});

test("a colour that gives way is named beside the one in its place", () => {
  show({});
  expect(screen.getByRole("status").textContent).toContain("#E8A33D is hard to read: 2.15 to 1");
  const list = within(screen.getByRole("list", { name: brandTexts["brand.contrast"] }));
  expect(list.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
    "BookText on buttons corrected4.53 to 1",
    "TermsText on the footer16.2 to 1",
  ]);
});

test("a refused value opens its part and takes the focus", () => {
  show({}, [["letterhead", "At most 8 lines"]]);
  expect(partOf("Mails and papers").open).toBe(true);
  expect(document.activeElement).toBe(screen.getByLabelText("Letterhead"));
});

test("sections are hidden by a tick and moved by Alt with an arrow", () => {
  const change = show({});
  const box = screen.getByRole("checkbox", { name: "Figures", hidden: true });
  fireEvent.click(box);
  expect(change).toHaveBeenLastCalledWith({ sections: ["cities", "recent", "how_it_works", "ask"] });
  fireEvent.keyDown(box, { key: "ArrowUp", altKey: true });
  expect(change).toHaveBeenLastCalledWith({ sections: ["cities", "facts", "recent", "how_it_works", "ask"] });
});
