import { cleanup } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import "../i18n/shopTexts.ts";

/** All files of a worker share one window: each test leaves it as it found it. */
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // Tests of the build's own files run without a window.
  if (typeof window === "undefined") return;
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
