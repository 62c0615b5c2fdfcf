import { defineConfig } from "vitest/config";

/** The browser tests: the real binary, a real Chromium, one story after the other. */
export default defineConfig({
  test: {
    environment: "node",
    include: ["browser/**/*.test.ts"],
    globalSetup: "browser/prepared.ts",
    fileParallelism: false,
    // A loaded machine is slow, not wrong: nothing is told twice, and nothing is given up for being slow.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    maxConcurrency: 4,
  },
});
