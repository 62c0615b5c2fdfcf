import { describe, expect, it } from "vitest";
import { EMPTY } from "../actDraft.ts";
import { stepOf } from "./stepDraft.ts";

const left = { refundable_minor: 25_907, currency: "GBP", decimals: 2 };

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

  it("reads a comma as what it can only be", () => {
    expect(stepOf("ask_refund", { ...EMPTY, amount: "2,50" }, "keep", left)).toEqual({
      act: "ask_refund",
      amount_minor: 250,
    });
  });

  it("sends no field that the act does not need", () => {
    const full = { ...EMPTY, cause: "no_answer" as const, amount: "12", moveIn: "2027-09", room: "r" };
    expect(stepOf("reopen", full, "keep", left)).toEqual({ act: "reopen" });
    expect(stepOf("close", full, "keep", left)).toEqual({ act: "close", cause: "no_answer" });
  });
});
