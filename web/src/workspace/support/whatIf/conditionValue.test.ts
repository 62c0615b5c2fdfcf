import { describe, expect, it } from "vitest";
import { isConditional, isRepriced, positionOf, wholeUnits } from "./conditionValue.ts";

describe("conditions", () => {
  it("takes a position as pages show it", () => {
    expect(positionOf(" 1,234 ")).toBe(1_234);
    expect(positionOf("event 7")).toBeNull();
    expect(positionOf("")).toBeNull();
  });

  it("takes whole units alone as a limit", () => {
    expect(wholeUnits(" 100 ")).toBe(100);
    expect(wholeUnits("1.50")).toBeNull();
  });

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
