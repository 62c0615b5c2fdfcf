import { expect, test } from "vitest";
import { slaOf } from "./sla.ts";

const NOON = Date.parse("2026-11-20T12:00:00Z");

test("an answered lead is never late", () => {
  expect(slaOf({ answered: true, answer_due_at: "2026-11-20T09:00:00Z" }, NOON).urgency).toBe("answered");
});

// A reply is late after its moment, soon in the quarter of an hour before it, due before that.
test("a reply is late, due soon in its last 15 minutes, or due", () => {
  const at = (answer_due_at: string) => slaOf({ answered: false, answer_due_at }, NOON);
  expect(at("2026-11-20T11:19:00Z")).toEqual({ urgency: "late", milliseconds: 41 * 60_000 });
  expect(at("2026-11-20T12:12:00Z").urgency).toBe("soon");
  expect(at("2026-11-20T12:27:00Z").urgency).toBe("due");
});

// A lead that needs no reply, or whose moment cannot be read, shows no mark.
test("a lead without a readable deadline shows no mark", () => {
  expect(slaOf({ answered: false, answer_due_at: null }, NOON).urgency).toBe("none");
  expect(slaOf({ answered: false, answer_due_at: "soon" }, NOON).urgency).toBe("none");
});
