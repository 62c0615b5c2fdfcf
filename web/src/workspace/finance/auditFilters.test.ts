import { expect, test } from "vitest";
import { asked, auditFilters, isNarrowed, panelOf, panelSearch } from "./auditFilters.ts";
import { endOfDay, endOfLastMonth, endOfMinute, lastOf } from "./moment.ts";

const read = (query: string) => auditFilters(Object.fromEntries(new URLSearchParams(query)));

test("filters come from the address", () => {
  expect(read("q=P-9E71&kind=captured&currency=GBP&from=2026-11-01&to=2026-11-30&p=2")).toEqual({
    q: "P-9E71",
    kind: "captured",
    steps: null,
    currency: "GBP",
    from: "2026-11-01",
    to: "2026-11-30",
    asof: null,
    p: 2,
  });
});

test("what cannot be read counts as absent", () => {
  const filters = read("kind=stolen&currency=pounds&from=yesterday&p=-1&q=%20");
  expect(Object.values(filters)).toEqual([null, null, null, null, null, null, null, null]);
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

// The books as of a moment end there, or where the period ends before.
test("books as of a moment end there or with an earlier period", () => {
  const asof = "2026-11-01T00:00:00.000Z";
  expect(asked(read(`asof=${asof}`)).to).toBe(asof);
  expect(asked(read(`asof=${asof}&to=2026-11-30`)).to).toBe(asof);
  expect(asked(read(`asof=${asof}&to=2026-10-15`)).to).toBe("2026-10-15");
  expect(asked(read("asof=then&to=2026-10-15"))).not.toHaveProperty("asof");
  expect(read("asof=then").asof).toBe(null);
});

test("a moment counts to the end of what was named", () => {
  const now = new Date("2026-11-20T17:00:00Z");
  expect(endOfDay(now, -1)).toBe("2026-11-20T00:00:00.000Z");
  expect(endOfLastMonth(now)).toBe("2026-11-01T00:00:00.000Z");
  expect(endOfMinute("2026-10-31", "23:59")).toBe("2026-11-01T00:00:00.000Z");
  expect(endOfMinute("2026-10-", "23:59")).toBe(null);
  expect(lastOf("2026-11-01T00:00:00.000Z")).toBe("2026-10-31T23:59:59.000Z");
});
