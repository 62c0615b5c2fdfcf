import { afterEach, expect, test, vi } from "vitest";
import { keysOf } from "./recaptcha.ts";

afterEach(() => {
  document.head.replaceChildren();
  vi.restoreAllMocks();
});

function named(content: string): void {
  const meta = document.createElement("meta");
  meta.name = "recaptcha";
  meta.content = content;
  document.head.append(meta);
}

test("keys are those that the document names", () => {
  expect(keysOf(document)).toBeNull();
  named("site-3 site-2");
  expect(keysOf(document)).toEqual({ score: "site-3", visual: "site-2" });
});

test("half a pair of keys counts for nothing", () => {
  named("site-3");
  expect(keysOf(document)).toBeNull();
});
