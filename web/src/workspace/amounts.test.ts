import { expect, test } from "vitest";
import { exact, signed } from "./amounts.ts";

test("an amount shows every minor unit, grouped, with a true minus", () => {
  expect(exact(25_907, 2)).toBe("259.07");
  expect(exact(-103_627, 2)).toBe("−1,036.27");
  expect(exact(5, 2)).toBe("0.05");
  expect(exact(0, 2)).toBe("0.00");
  expect(exact(1_250_000, 0)).toBe("1,250,000");
  expect(exact(18_420_641, 2)).toBe("184,206.41");
});

// Money that came in carries a plus, money that went out a minus, none neither.
test("money in has a plus, money out a minus, neither has none", () => {
  expect([signed(100, 2), signed(-100, 2), signed(0, 2)]).toEqual(["+1.00", "−1.00", "0.00"]);
});
