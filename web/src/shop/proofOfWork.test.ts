import { sha256 } from "@noble/hashes/sha2.js";
import { expect, test } from "vitest";
import { work, zeroBits } from "./proofOfWork.ts";

// The work's answer belongs to its challenge and has the zeros that were asked for.
test("proof of work fits its challenge and its zeros", async () => {
  const proof = await work({ challenge: "1795000000.abc.def", bits: 10 });
  expect(proof).toMatch(/^1795000000\.abc\.def:\d+$/);
  expect(zeroBits(sha256(new TextEncoder().encode(proof)))).toBeGreaterThanOrEqual(10);
});

test("zeros are counted over bytes", () => {
  expect([Uint8Array.of(0, 0, 0x40), Uint8Array.of(0x80), Uint8Array.of(0, 1)].map(zeroBits)).toEqual([17, 0, 15]);
});
