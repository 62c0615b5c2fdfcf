import { defineConfig } from "vitest/config";

/** The browser tests: the real binary, a real Chromium, one story after the other. */
export default defineConfig({
  test: {
    environment: "node",
    include: ["browser/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
