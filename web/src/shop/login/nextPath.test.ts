import { expect, test } from "vitest";
import { askedLogin, safeNext, withoutLogin, withoutPending } from "./nextPath.ts";

const origin = "https://homes.example";

test("after a login the reader goes to a path of this site", () => {
  expect(safeNext("/profile/leads?tab=booked", origin)).toBe("/profile/leads?tab=booked");
});

test.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "javascript:alert(1)",
  "profile",
  "",
])("%s is not gone to", (next) => {
  expect(safeNext(next, origin)).toBeNull();
});

test.each([
  ["/", null],
  ["/?login=0&next=%2Fprofile", null],
  ["/?login=1", { next: null }],
  ["/help?login=1&next=%2Fprofile", { next: "/profile" }],
  ["/?login=1&next=%2F%2Fevil.example", { next: null }],
  [`/?login=1&next=${encodeURIComponent("/?login=1&next=%2Fprofile")}`, { next: "/profile" }],
])("%s asks for a login as it says", (address, asked) => {
  expect(askedLogin(new URL(address, origin))).toEqual(asked);
});

test("the answered question leaves the address", () => {
  expect(withoutLogin(new URL(`${origin}/?login=1&next=%2Fprofile%2Fleads&lang=zh`))).toBe("/?lang=zh");
});

// A home that waited for the login leaves the address, filters stay.
test("shortlist_inv leaves the address after login, filters stay", () => {
  const url = new URL(`${origin}/places/search/london?budget=200-&shortlist_inv=42`);
  expect(withoutPending(url)).toBe("/places/search/london?budget=200-");
});
