import { cleanup } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import { addTexts } from "../i18n/catalogue.ts";
import { addForms, type Forms } from "../i18n/forms.ts";
import "../i18n/shopTexts.ts";
import { pageLanguages } from "../i18n/languages.ts";
import { PAPERS } from "../ui/languageTable.ts";
import { clearToasts } from "../ui/toast.tsx";

/** A page has its language's forms before it is drawn; tests that draw a part of one have those of all languages. */
const forms = import.meta.glob<Forms>("../../../i18n/*/forms.json", { import: "default", eager: true });
for (const [lang] of PAPERS) {
  const own = forms[`../../../i18n/${lang}/forms.json`];
  if (own) addForms(lang, own);
}

/** Texts that come with a page's document in its language. */
const start = import.meta.glob<Record<string, string>>("../../../i18n/*/start.json", {
  import: "default",
  eager: true,
});
for (const [lang] of pageLanguages()) addTexts(lang, start[`../../../i18n/${lang}/start.json`] ?? {});

/** All files of a worker share one window: each test leaves it as it found it. */
afterEach(() => {
  cleanup();
  clearToasts();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // Tests of the build's own files run without a window.
  if (typeof window === "undefined") return;
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
