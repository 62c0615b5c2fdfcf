import "./build/groupBy.ts";
import { defineConfig } from "vitest/config";

/** The browser tests: the real binary, a real Chromium, one story after the other. */
export default defineConfig({
  test: {
    environment: "node",
    include: ["browser/**/*.test.ts"],
    fileParallelism: false,
    // A loaded machine can drop a keystroke between two renders; a second telling says whether the page is at fault.
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
