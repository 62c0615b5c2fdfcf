import { defineConfig } from "vitest/config";
import browser from "./vitest.browser.config.ts";

/** Measurements: printed, never asserted, and no part of the tests. */
export default defineConfig({
  test: {
    ...browser.test,
    include: ["browser/**/*.measure.ts"],
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
