import { expect, test } from "vitest";
import { ApiError } from "../api.ts";
import { worthAnotherTry } from "./queries.ts";

// A refusal is final, but for a moment far back that the server goes on reading.
test("only a moment still being read is asked for again", () => {
  const refused = (code: string) => new ApiError("refused", { status: 503, code });
  expect(worthAnotherTry(0, refused("busy"))).toBe(false);
  expect(worthAnotherTry(7, refused("past_unfinished"))).toBe(true);
  expect(worthAnotherTry(8, refused("past_unfinished"))).toBe(false);
  expect(worthAnotherTry(1, new ApiError("offline"))).toBe(true);
});
