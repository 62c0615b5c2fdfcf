import { defineConfig } from "vitest/config";

/** The browser tests: the real binary and a real Chromium, two files at a time; the slowest of the last run first. */
export default defineConfig({
  test: {
    environment: "node",
    include: ["browser/**/*.test.ts"],
    // Only a build of `scripts/made-up-language` has that language.
    exclude: process.env["LATCHKEY_TEST_MADE_UP"] === "1" ? [] : ["browser/madeUpLanguage.test.ts"],
    globalSetup: "browser/prepared.ts",
    maxWorkers: 2,
    // A loaded machine is slow, not wrong: nothing is told twice, and nothing is given up for being slow.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    // Vitest's own limit of one second is a limit on the machine.
    expect: { poll: { timeout: 60_000 } },
    // Concurrent tests of one file; most of them wait for the server or for a hold to end.
    maxConcurrency: 3,
  },
});
