import { RouterContextProvider } from "@tanstack/react-router";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import en from "../../../../../i18n/en/imports.json";
import type { DeadPhoto } from "../../../contract/wire.ts";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { router } from "../../router.tsx";
import { DeadPhotoTable } from "./DeadPhotos.tsx";

addTexts("en", en);

afterEach(cleanup);

const gone: DeadPhoto = {
  home_id: "h-1",
  name: "Aspen Hall",
  address: "https://photos.example:8443/aspen/1.jpg",
  refusal: "gone",
  answered: 404,
  tried_at: "2026-11-18T11:06:40Z",
  next_try_at: "2026-11-20T11:06:40Z",
};

const inside: DeadPhoto = { ...gone, address: "", refusal: "not_permitted", answered: null, next_try_at: null };

function show(photos: readonly DeadPhoto[], isCut = false) {
  const { container } = render(
    <LanguageProvider lang="en">
      <RouterContextProvider router={router}>
        <DeadPhotoTable feed="north" photos={photos} isCut={isCut} />
      </RouterContextProvider>
    </LanguageProvider>,
  );
  return container.textContent ?? "";
}

test("a dead photo says its home, host and the last answer", () => {
  const text = show([gone, inside]);
  const [link] = screen.getAllByRole("link", { name: "Aspen Hall" });
  expect(link?.getAttribute("href")).toBe("/workspace/homes/h-1?part=photos");
  expect(text).toContain("photos.example:8443");
  expect(text).toContain(en["imports.dead_why_gone"]);
  expect(text).toContain("Answered 404");
  expect(text).toContain("20 Nov 2026");
  expect(text).toContain(en["imports.dead_why_not_permitted"]);
  expect(text).toContain(en["imports.dead_given_up"]);
  expect(text).not.toContain("There are more");
});

test("a cut list says so, and an empty one is not there", () => {
  expect(show([gone], true)).toContain("The first 1 are shown");
  cleanup();
  expect(show([])).toBe("");
});
