import { expect, test } from "vitest";
import { addressAt, fileAddress, momentIn, showMoment, withMoment } from "./pastMoment.ts";

test("a moment goes along with every read but who is here", () => {
  expect(addressAt(12, "/api/v0/workspace/leads")).toBe("/api/v0/workspace/leads?as_of=12");
  expect(addressAt("2026-11-20T09:30:00Z", "/api/v0/workspace/leads?p=2")).toBe(
    "/api/v0/workspace/leads?p=2&as_of=2026-11-20T09%3A30%3A00Z",
  );
  expect(addressAt(12, "/api/v0/workspace/me")).toBe("/api/v0/workspace/me");
  expect(addressAt(12, "/api/v0/regions")).toBe("/api/v0/regions");
});

test("the address names the moment, and only a moment", () => {
  expect(momentIn("?as_of=12&p=2")).toBe(12);
  expect(momentIn("?as_of=2026-11-20T09%3A30%3A00Z")).toBe("2026-11-20T09:30:00Z");
  for (const other of ["", "?p=2", "?as_of=", "?as_of=then"]) expect(momentIn(other)).toBe(null);
  expect(momentIn("?asof=2026-11-20T00%3A00%3A00.000Z")).toBe("2026-11-20T00:00:00.000Z");
  expect(momentIn("?asof=then")).toBe(null);
  showMoment(12);
  expect(fileAddress("/api/v0/workspace/leads/report.csv")).toBe("/api/v0/workspace/leads/report.csv?as_of=12");
  expect(withMoment({ p: 2 })).toEqual({ p: 2, as_of: 12 });
  showMoment(null);
  expect(withMoment({ p: 2 })).toEqual({ p: 2, as_of: null });
  expect(fileAddress("/api/v0/workspace/leads/report.csv")).toBe("/api/v0/workspace/leads/report.csv");
});
