import { describe, expect, it } from "vitest";
import { EMPTY } from "../actDraft.ts";
import { stepOf } from "./stepDraft.ts";

const left = { refundable_minor: 25_907, decimals: 2 };

describe("stepOf", () => {
  it("takes an empty refund as all that is left", () => {
    expect(stepOf("refund", EMPTY, "cancel", left)).toEqual({
      act: "refund",
      amount_minor: 25_907,
      booking: "cancel",
    });
  });

  it("sends what is no amount as zero", () => {
    expect(stepOf("refund", { ...EMPTY, amount: "a lot" }, "keep", left)).toEqual({
      act: "refund",
      amount_minor: 0,
      booking: "keep",
    });
  });

  it("sends no field that the act does not need", () => {
    const full = { ...EMPTY, amount: "12", moveIn: "2027-09", room: "r" };
    expect(stepOf("reopen", full, "keep", left)).toEqual({ act: "reopen" });
    expect(stepOf("close", full, "keep", left)).toEqual({ act: "close", cause: "no_answer" });
  });
});
