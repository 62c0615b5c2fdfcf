import { beforeEach, expect, test } from "vitest";
import { isKnownRepeat, rememberEnquiry } from "./repeat.ts";

beforeEach(() => localStorage.clear());

test("a tour after an enquiry is a first tour", () => {
  rememberEnquiry(localStorage, "home-1", "enquire");
  expect(isKnownRepeat(localStorage, "home-1", "virtual_tour_enquiry")).toBe(false);
  expect(isKnownRepeat(localStorage, "home-1", "join_waitlist")).toBe(false);
  expect(isKnownRepeat(localStorage, "home-1", "referred_by_enquiry")).toBe(true);
  expect(isKnownRepeat(localStorage, "home-2", "enquire")).toBe(false);
  rememberEnquiry(localStorage, "home-1", "virtual_tour_enquiry");
  expect(isKnownRepeat(localStorage, "home-1", "virtual_tour_enquiry")).toBe(true);
});

test("a booking that was begun is begun again", () => {
  rememberEnquiry(localStorage, "home-1", "book_now");
  expect(isKnownRepeat(localStorage, "home-1", "apply_now")).toBe(true);
  expect(isKnownRepeat(localStorage, "home-1", "contact_us")).toBe(false);
});

// Before, only the home was kept: what was asked for there is not known.
test("what an earlier version kept names no wish", () => {
  localStorage.setItem("latchkey.enquired", JSON.stringify(["home-1"]));
  expect(isKnownRepeat(localStorage, "home-1", "join_waitlist")).toBe(false);
  expect(isKnownRepeat(localStorage, "home-1", "enquire")).toBe(true);
});
