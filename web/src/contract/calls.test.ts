import { expect, expectTypeOf, test } from "vitest";
import { buildAddress, get, post } from "../api.ts";
import type { LeadView, RawEvent } from "./wire.ts";

// Nothing is sent: the compiler reads each call, and an error that does not come is one.
const refused = [
  // @ts-expect-error no such path
  () => get("/api/v0/workspace/lead"),
  // @ts-expect-error another method
  () => post("/api/v0/workspace/me"),
  // @ts-expect-error a file carries no data
  () => get("/api/v0/workspace/leads/report.csv"),
  // @ts-expect-error a parameter of the path is missing
  () => get("/api/v0/workspace/events/{position}"),
  // @ts-expect-error a parameter of the path is missing beside options
  () => get("/api/v0/workspace/events/{position}", { fresh: true }),
  // @ts-expect-error a parameter of the path has another name
  () => get("/api/v0/workspace/events/{position}", { path: { id: 1 } }),
  // @ts-expect-error the query needs a lead
  () => get("/api/v0/workspace/payment_links"),
  // @ts-expect-error the query has no such value
  () => get("/api/v0/workspace/leads", { query: { colour: "red" } }),
  // @ts-expect-error the query takes a number
  () => get("/api/v0/workspace/leads", { query: { p: "2" } }),
  // @ts-expect-error a body is missing
  () => post("/api/v0/workspace/leads/views"),
  // @ts-expect-error a field of the body is missing
  () => post("/api/v0/workspace/leads/{id}/notes", { path: { id: "l" }, body: {} }),
  // @ts-expect-error the body has no such field
  () => post("/api/v0/workspace/leads/{id}/notes", { path: { id: "l" }, body: { note: "a", colour: "red" } }),
  // @ts-expect-error a body of the wrong type
  () => post("/api/v0/workspace/leads/{id}/notes", { path: { id: "l" }, body: { note: 1 } }),
  // @ts-expect-error a file, not words
  () => post("/api/v0/support/cases/{id}/attachments", { path: { id: "c" }, body: "words" }),
  // @ts-expect-error another answer is expected
  (): Promise<RawEvent> => get("/api/v0/workspace/leads/views"),
  // @ts-expect-error an address needs its parameter
  () => buildAddress("/api/v0/workspace/leads/{id}/stream"),
];

test("calls that the document does not know do not compile", () => {
  expectTypeOf(refused).toBeArray();
});

test("an answer has the type that the document gives it", () => {
  const views = () => get("/api/v0/workspace/leads/views", { fresh: true });
  expectTypeOf<ReturnType<typeof views>>().toEqualTypeOf<Promise<LeadView[]>>();
});

test("an address escapes its values and leaves out nulls", () => {
  const path = { id: "a/b", attachment: "c" };
  const query = { from: null, lang: "zh" };
  expect(buildAddress("/api/v0/support/cases/{id}/attachments/{attachment}", { path })).toBe(
    "/api/v0/support/cases/a%2Fb/attachments/c",
  );
  expect(buildAddress("/api/v0/workspace/leads/report.csv", { query })).toBe(
    "/api/v0/workspace/leads/report.csv?lang=zh",
  );
});
