import { expect, test } from "vitest";
import { addressAt } from "./pastMoment.ts";

test("a moment goes along with every read but who is here", () => {
  expect(addressAt(12, "/api/v0/workspace/leads")).toBe("/api/v0/workspace/leads?as_of=12");
  expect(addressAt("2026-11-20T09:30:00Z", "/api/v0/workspace/leads?p=2")).toBe(
    "/api/v0/workspace/leads?p=2&as_of=2026-11-20T09%3A30%3A00Z",
  );
  expect(addressAt(12, "/api/v0/workspace/me")).toBe("/api/v0/workspace/me");
  expect(addressAt(12, "/api/v0/regions")).toBe("/api/v0/regions");
});
