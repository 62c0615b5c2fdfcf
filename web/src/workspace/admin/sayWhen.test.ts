import { expect, test } from "vitest";
import { sayWhen } from "./sayWhen.ts";

const NOW = "2026-11-26T10:00:00Z";

test.each([
  ["2026-11-26T09:59:30Z", "this minute"],
  ["2026-11-26T09:55:00Z", "5 minutes ago"],
  ["2026-11-26T08:01:00Z", "1 hour ago"],
  ["2026-11-24T10:00:00Z", "2 days ago"],
  ["2026-11-26T10:15:00Z", "in 15 minutes"],
  ["2026-11-26T15:59:00Z", "in 5 hours"],
])("%s is said from the moment of the look", (at, said) => {
  expect(sayWhen(at, NOW, "en")).toBe(said);
});
