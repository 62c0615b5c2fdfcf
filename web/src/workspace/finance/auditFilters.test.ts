import { expect, test } from "vitest";
import { onOwnClock } from "../../ownTime.ts";
import { asked, auditFilters, isNarrowed, panelOf, panelSearch } from "./auditFilters.ts";
import { endOfDay, endOfLastMonth, endOfMinute } from "./moment.ts";

const read = (query: string) => auditFilters(Object.fromEntries(new URLSearchParams(query)));

test("filters come from the address", () => {
  expect(read("q=P-9E71&kind=captured&currency=GBP&from=2026-11-01&to=2026-11-30&p=2")).toEqual({
    q: "P-9E71",
    kind: "captured",
    steps: null,
    currency: "GBP",
    from: "2026-11-01",
    to: "2026-11-30",
    p: 2,
  });
});

test("what cannot be read counts as absent", () => {
  const filters = read("kind=stolen&currency=pounds&from=yesterday&p=-1&q=%20");
  expect(Object.values(filters)).toEqual([null, null, null, null, null, null, null]);
  expect(isNarrowed(filters)).toBe(false);
  expect(read("from=2026-02-31&to=0000-00-00")).toMatchObject({ from: null, to: null });
  expect(read("from=2024-02-29&to=9999-12-31")).toMatchObject({ from: "2024-02-29", to: "9999-12-31" });
});

// Finance sees money first; a kind that was chosen is listed whether it moves money or not.
test("money events are asked for unless all steps are", () => {
  expect(asked(read("")).money).toBe(true);
  expect(asked(read("steps=all")).money).toBe(null);
  expect(asked(read("kind=declined")).money).toBe(null);
  expect(asked(read("steps=some")).money).toBe(true);
  expect(asked(read("steps=all"))).not.toHaveProperty("steps");
});

test("a payment in the address opens its ledger, or its refund", () => {
  expect(panelOf(panelSearch({ payment: "abc" }))).toEqual({ panel: "ledger", paymentId: "abc" });
  expect(panelOf(panelSearch({ payment: "abc", refund: "1" }))).toEqual({
    panel: "refund",
    paymentId: "abc",
  });
  expect(panelOf(panelSearch({ chain: "1" }))).toEqual({ panel: "chain" });
});

test("a moment counts to the end of what was named", () => {
  const now = new Date("2026-11-20T17:00:00Z");
  expect(endOfDay(now, -1)).toBe("2026-11-19T23:59:59.999999Z");
  expect(endOfLastMonth(now)).toBe("2026-10-31T23:59:59.999999Z");
  const typed = onOwnClock("2026-10-31T23:59:00Z");
  expect(endOfMinute(typed.slice(0, 10), typed.slice(11), now)).toBe("2026-10-31T23:59:59.999999Z");
  expect(endOfMinute("2026-10-", "23:59", now)).toBe(null);
});

// The server refuses a moment to come: the minute that runs ends now, and the one after it is none.
test("no moment of the books is to come", () => {
  const now = new Date("2026-11-20T17:00:30Z");
  const runs = onOwnClock("2026-11-20T17:00:00Z");
  expect(endOfMinute(runs.slice(0, 10), runs.slice(11), now)).toBe("2026-11-20T17:00:29.999999Z");
  const next = onOwnClock("2026-11-20T17:01:00Z");
  expect(endOfMinute(next.slice(0, 10), next.slice(11), now)).toBe(null);
});
