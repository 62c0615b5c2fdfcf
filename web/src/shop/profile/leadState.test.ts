import { expect, test } from "vitest";
import { tabOf } from "./ActivityTabs.tsx";
import { badgeOf, nextTextOf } from "./leadState.ts";

const pending = { token: "t", status: "pending", total_minor: 1, currency: "GBP" } as const;

test("a bank that still confirms is said before all else", () => {
  expect(badgeOf({ state: "payment_started", payment: pending }).text).toBe("profile.state_bank");
  expect(nextTextOf({ state: "payment_started", payment: pending, next_action: null }).text).toBe(
    "profile.next_pending",
  );
});

test("a form that was begun waits for the student", () => {
  const action = { key: "continue_to_book", href: "/x", deadline: null } as const;
  expect(badgeOf({ state: "form_started", payment: null })).toEqual({ text: "profile.state_waiting", tone: "warning" });
  expect(nextTextOf({ state: "form_started", payment: null, next_action: action }).title).toBe(
    "profile.action_continue_to_book",
  );
});

test("the address names the tab; booked when it names none", () => {
  expect(tabOf("/profile/leads?tab=recently_viewed")).toBe("recently_viewed");
  expect(tabOf("/profile/leads?tab=other")).toBe("booked");
  expect(tabOf("/profile/leads")).toBe("booked");
});

test.each([
  ["cancelled", "profile.next_cancelled"],
  ["lost", "profile.next_lost"],
] as const)("nobody is told to wait for an answer once a lead is %s", (state, text) => {
  expect(nextTextOf({ state, payment: null, next_action: null }).text).toBe(text);
});
