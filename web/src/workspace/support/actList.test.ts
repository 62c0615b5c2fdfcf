import { expect, test } from "vitest";
import { ACTS, MIRROR_KEY } from "./actList.ts";

test("a key of the menu has one act", () => {
  const keys = [...ACTS.map(([, key]) => key), MIRROR_KEY];
  expect(new Set(keys).size).toBe(keys.length);
});
