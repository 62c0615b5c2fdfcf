import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSearchWords } from "./useSearchWords.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function box() {
  const asked: string[] = [];
  const atFirst: { q: string | null } = { q: null };
  const hook = renderHook(({ q }) => useSearchWords(q, (words) => asked.push(words)), { initialProps: atFirst });
  const type = (words: string) => act(() => hook.result.current[1](words));
  const rest = () => act(() => vi.advanceTimersByTime(300));
  return {
    asked,
    type,
    rest,
    shown: () => hook.result.current[0],
    addressSays: (q: string | null) => hook.rerender({ q }),
  };
}

test("the server is asked once typing rests, not at every letter", () => {
  const search = box();
  search.type("kel");
  search.type("kelham");
  expect(search.asked).toEqual([]);
  search.rest();
  expect(search.asked).toEqual(["kelham"]);
});

test("a space typed after a rest stays in the box", () => {
  const search = box();
  search.type("kelham ");
  search.rest();
  search.addressSays("kelham");
  expect(search.shown()).toBe("kelham ");
});

test("a filter removed elsewhere empties the box", () => {
  const search = box();
  search.type("kelham");
  search.rest();
  search.addressSays("kelham");
  search.addressSays(null);
  expect(search.shown()).toBe("");
});
