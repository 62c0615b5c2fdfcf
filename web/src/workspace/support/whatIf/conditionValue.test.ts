import { describe, expect, it } from "vitest";
import { isConditional, isRepriced } from "./conditionValue.ts";

describe("conditions", () => {
  it("are none where every field is empty", () => {
    expect(isConditional({ at: null, refund_limit: null, provider_refuses: false })).toBe(false);
    expect(isConditional({ refund_limit: 0 })).toBe(true);
    expect(isConditional({ leave_out: 7 })).toBe(true);
    expect(isConditional({ provider_refuses: true })).toBe(true);
  });
});

describe("isRepriced", () => {
  const price = { currency: "GBP", symbol: "£", decimals: 2, duration: "weekly" as const };

  it("tells a price that differs from one that stays", () => {
    expect(isRepriced(null)).toBe(false);
    expect(isRepriced({ ...price, before_minor: 20_000, after_minor: 20_000 })).toBe(false);
    expect(isRepriced({ ...price, before_minor: 20_000, after_minor: 19_000 })).toBe(true);
    expect(isRepriced({ ...price, before_minor: null, after_minor: 19_000 })).toBe(true);
  });
});
