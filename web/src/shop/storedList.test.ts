import { expect, test } from "vitest";
import { storedList } from "./storedList.ts";

const words = () => storedList<string>("test.words", (value) => (typeof value === "string" ? value : null));

test("a list comes back as it was written", () => {
  words().write(["a", "b"]);
  expect(words().read()).toEqual(["a", "b"]);
});

test("what cannot be read is cleared", () => {
  localStorage.setItem("test.words", "{broken");
  expect(words().read()).toEqual([]);
  expect(localStorage.getItem("test.words")).toBeNull();
});

test("items of another kind are left out", () => {
  localStorage.setItem("test.words", '["a", 7, null]');
  expect(words().read()).toEqual(["a"]);
});
