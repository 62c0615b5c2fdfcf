import { render } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import en from "../../i18n/en/stay.json";
import { LanguageProvider } from "./i18n/i18n.tsx";
import { pageLanguages } from "./i18n/languages.ts";
import { onOwnClock, useOwnTime } from "./ownTime.ts";

function Held() {
  const own = useOwnTime();
  return <p>{own.moment("2026-07-04T15:30:00Z")}</p>;
}

const page = (
  <LanguageProvider lang="en">
    <Held />
  </LanguageProvider>
);

// Summer time in London, no summer time in Shanghai, a day ahead in Auckland.
test.each([
  ["Europe/London", "2026-07-04T16:30"],
  ["Asia/Shanghai", "2026-07-04T23:30"],
  ["Pacific/Auckland", "2026-07-05T03:30"],
  ["America/St_Johns", "2026-07-04T13:00"],
])("an instant is told by the clock of %s", (zone, told) => {
  expect(onOwnClock("2026-07-04T15:30:00Z", zone)).toBe(told);
  expect(onOwnClock("2026-07-04T15:30:00.250+00:00", zone)).toBe(told);
  expect(onOwnClock("2026-07-04", zone), "a day is that day everywhere").toBe("2026-07-04");
});

test("a page drawn ahead says the day, and in the browser the hour", () => {
  expect(renderToString(page)).toContain("<p>4 Jul 2026</p>");
  expect(render(page).container.textContent).toMatch(/^[45] Jul 2026, \d\d:\d\d$/);
});

test("no words for students name UTC", () => {
  const areas = import.meta.glob<{ default: Record<string, string> }>(
    ["../../i18n/*/*.json", "!../../i18n/*/forms.json"],
    { eager: true },
  );
  const students =
    /\/(booking|cases|form_sync|lead|looks|mail|mirror|payment|profile|property|receipt|stay|verify)\.json$/;
  const isPage = (path: string) => pageLanguages().some(([tag]) => path.includes(`/i18n/${tag}/`));
  const shown = Object.entries(areas).filter(([path]) => isPage(path) && students.test(path));
  expect(shown.length).toBe(26);
  const named = shown.flatMap(([path, { default: texts }]) =>
    Object.entries(texts).flatMap(([key, text]) => (/\bUTC\b/.test(text) ? [`${path} ${key}`] : [])),
  );
  expect(named).toEqual([]);
  expect(en["stay.lock_same"]).not.toContain("UTC");
});
