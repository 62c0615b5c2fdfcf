import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import brandTexts from "../../../../../i18n/en/brand.json";
import home from "../../../../../i18n/en/home.json";
import workspace from "../../../../../i18n/en/workspace.json";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { PageContext } from "../../../pageContext.ts";
import { samplePage } from "../../../testing/samplePage.ts";
import type { Brand, BrandValues } from "../brandCalls.ts";
import type { ValueName } from "../brandEdit.ts";
import { BrandPreview } from "./BrandPreview.tsx";

addTexts("en", { ...workspace, ...home, ...brandTexts });

afterEach(cleanup);

const colours = { tokens: { act: "#7A2E5D", foot: "#2B1B2E" }, contrasts: [] };
const brand: Brand = {
  revision: 1,
  draft: {},
  changed: [],
  drafted_by: null,
  drafted_at: null,
  colours,
  published: null,
  given: [],
  pictures: [],
};
const page = samplePage("home", "/", null);

const draw = (shown: BrandValues, touched: ValueName | null) => (
  <PageContext value={page}>
    <LanguageProvider lang="en">
      <BrandPreview
        desk={{ brand, shown, faults: new Map(), isPast: false, change: () => undefined }}
        colours={colours}
        touched={touched}
      />
    </LanguageProvider>
  </PageContext>
);

test("the page is drawn with what is typed, and its colours", () => {
  const { rerender } = render(draw({ name: "Q" }, "name"));
  rerender(draw({ name: "Quayside", hero: { en: "Rooms by the water" }, sections: ["ask"] }, "hero"));
  const drawn = screen.getByRole("img", { name: "Drawing in the draft brand Quayside: Home page" });
  expect(drawn.style.getPropertyValue("--act")).toBe("#7A2E5D");
  // Not inherited from the published brand.
  expect(drawn.style.getPropertyValue("--act-dark")).toBe("initial");
  expect(drawn.textContent).toContain("Rooms by the water");
  expect(drawn.textContent).not.toContain(brandTexts["brand.section_cities"]);
  expect(drawn.querySelector(".marked")?.textContent).toBe("Rooms by the water");
});

test("a changed value leads to where it is seen", () => {
  const shown = { letterhead: ["Quayside Rooms Ltd"] };
  const { rerender } = render(draw(shown, "letterhead"));
  expect(screen.getByRole("button", { name: "Receipt", pressed: true })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Email" }));
  rerender(draw(shown, "letterhead"));
  expect(screen.getByRole("button", { name: "Email", pressed: true })).toBeTruthy();
  rerender(draw(shown, "name"));
  expect(screen.getByRole("button", { name: "Email", pressed: true })).toBeTruthy();
});
