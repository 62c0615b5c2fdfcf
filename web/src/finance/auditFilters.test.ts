import { expect, test } from "vitest";
import { auditFilters, isNarrowed, panelOf } from "./auditFilters.ts";

const read = (query: string) => auditFilters(new URLSearchParams(query));

test("filters come from the address", () => {
  expect(read("q=P-9E71&kind=captured&currency=GBP&from=2026-11-01&to=2026-11-30&p=2")).toEqual({
    q: "P-9E71",
    kind: "captured",
    currency: "GBP",
    from: "2026-11-01",
    to: "2026-11-30",
    p: 2,
  });
});

test("what cannot be read counts as absent", () => {
  const filters = read("kind=stolen&currency=pounds&from=yesterday&p=-1&q=%20");
  expect(Object.values(filters)).toEqual([null, null, null, null, null, null]);
  expect(isNarrowed(filters)).toBe(false);
});

test("a payment in the address opens its ledger, or its refund", () => {
  expect(panelOf(new URLSearchParams("payment=abc"))).toEqual({ panel: "ledger", paymentId: "abc" });
  expect(panelOf(new URLSearchParams("payment=abc&refund=1"))).toEqual({ panel: "refund", paymentId: "abc" });
  expect(panelOf(new URLSearchParams("chain=1"))).toEqual({ panel: "chain" });
});
