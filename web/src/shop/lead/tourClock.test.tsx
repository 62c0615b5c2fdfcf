import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { loadAreas, text } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { pageLanguages } from "../../i18n/languages.ts";
import { home } from "../../testing/screenWalk.tsx";
import { TourPicker } from "./TourPicker.tsx";

/** As mails and receipts name it (`HomeClock` of the server): by the city, whose name comes in the reader's language. */
test("a tour's times are on the clock of the home's city", async () => {
  const region = { ...home.region, name: "Leeds" };
  for (const [lang] of pageLanguages()) {
    await loadAreas(lang, ["lead", "ui"]);
    const { container, unmount } = render(
      <LanguageProvider lang={lang}>
        <TourPicker
          {...{ inventory: { ...home, region, time_zone: "Europe/London" }, requested: null }}
          {...{ busy: false, failed: false, onRequest: () => undefined }}
        />
      </LanguageProvider>,
    );
    expect(container.textContent).toContain(text(lang, "lead.tour_zone", { city: "Leeds" }));
    unmount();
  }
});
