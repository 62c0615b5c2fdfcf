import { expect, test } from "vitest";
import { segmentsOf } from "./segments.ts";

const chain = {
  verified_through: 48_216,
  head: 48_216,
  ok: true,
  first_broken: null,
  checked_at: "2026-11-20T11:04:12Z",
};

// A log of 48,216 events stands as eleven whole blocks and one open.
test("48,216 events are eleven whole blocks and an open one", () => {
  const blocks = segmentsOf(chain, 16);
  expect(blocks.map(({ state }) => state)).toEqual([...Array<string>(11).fill("whole"), "open"]);
  expect(blocks[11]?.share).toBeCloseTo(0.77, 2);
});

test("an empty log has one open block with nothing proved", () => {
  expect(segmentsOf({ ...chain, head: 0, verified_through: 0 }, 16)).toEqual([{ first: 1, state: "open", share: 0 }]);
});

test("the block that holds the first broken event is marked", () => {
  const blocks = segmentsOf({ ...chain, ok: false, first_broken: 5000, verified_through: 4999 }, 16);
  expect(blocks[0]?.state).toBe("whole");
  expect(blocks[1]?.state).toBe("broken");
});

test("of a long log only the newest blocks are shown", () => {
  const blocks = segmentsOf({ ...chain, head: 4_096_000, verified_through: 4_096_000 }, 16);
  expect(blocks).toHaveLength(16);
  expect(blocks[15]?.first).toBe(4_096_000 - 4095);
});
