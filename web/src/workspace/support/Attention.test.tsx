import { RouterContextProvider } from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import support from "../../../../i18n/en/support.json";
import supportZh from "../../../../i18n/zh/support.json";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { router } from "../router.tsx";
import { AttentionViews } from "./Attention.tsx";
import { type LeadFilters, leadFilters } from "./leadFilters.ts";

addTexts("en", support);
addTexts("zh", supportZh);

function showViews(lang: "en" | "zh", filters: LeadFilters, counts: Record<string, number>): HTMLElement[] {
  render(
    <LanguageProvider lang={lang}>
      <RouterContextProvider router={router}>
        <AttentionViews filters={filters} counts={counts} />
      </RouterContextProvider>
    </LanguageProvider>,
  );
  return screen.getAllByRole("link");
}

test.each([
  ["en", [`${support["support.needs_hold_ending"]} 2`, `${support["support.needs_declined"]} 0`]],
  ["zh", [`${supportZh["support.needs_hold_ending"]} 2`, `${supportZh["support.needs_declined"]} 0`]],
] as const)("reasons to look at leads are views with counts (%s)", (lang, names) => {
  const filters = leadFilters({ q: "mei", attention: "declined" });
  const views = showViews(lang, filters, { hold_ending: 2, disputed: 0, declined: 0 });
  expect(views.map((view) => view.textContent)).toEqual(names);
  expect(views.map((view) => view.getAttribute("href"))).toEqual([
    "/workspace/leads?q=mei&attention=hold_ending",
    "/workspace/leads?q=mei&attention=declined",
  ]);
  expect(views.map((view) => view.getAttribute("aria-current"))).toEqual([null, "page"]);
});

test.each([
  ["the whole list has a view of those without an answer", {}, ["Hold ending 1"]],
  ["it stands as a reason among the leads that words leave", { q: "mei" }, ["Hold ending 1", "Unanswered 3"]],
])("%s", (_, filters, names) => {
  const views = showViews("en", leadFilters(filters), { unanswered: 3, hold_ending: 1 });
  expect(views.map((view) => view.textContent).sort()).toEqual(names);
});
