import { expect, test } from "vitest";
import { askedLogin, safeNext, withoutLogin } from "./nextPath.ts";

const origin = "https://homes.example";

test("after a login the reader goes to a path of this site", () => {
  expect(safeNext("/profile/leads?tab=booked", origin)).toBe("/profile/leads?tab=booked");
});

test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "profile", ""])(
  "%s is not gone to",
  (next) => {
    expect(safeNext(next, origin)).toBeNull();
  },
);

test("the address asks for a login once", () => {
  const url = new URL(`${origin}/?login=1&next=%2Fprofile%2Fleads&lang=zh`);
  expect(askedLogin(url)).toEqual({ next: "/profile/leads" });
  expect(withoutLogin(url)).toBe("/?lang=zh");
  expect(askedLogin(new URL(`${origin}/?next=/profile`))).toBeNull();
});
