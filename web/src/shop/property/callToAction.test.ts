import { expect, test } from "vitest";
import type { UserHistory } from "../../contract/wire.ts";
import { silentTerms } from "../../testing/silentTerms.ts";
import { callToAction } from "./callToAction.ts";

const room = {
  inventory_id: "r",
  move_in_date: "2027-09-11",
  lease_duration: 44,
  lease_duration_unit: "weeks" as const,
  rooms_left: 2,
  ...silentTerms,
  price: { amount_minor: 1, currency: "GBP", symbol: "£", decimals: 2, duration: "weekly" as const },
};
const chosen = { typeId: "t", option: room, otherDates: false };
const open = { available: true, bookable: true, flow: "book" as const, state: "active" as const };
const past = (over: Partial<UserHistory>): UserHistory => ({
  enquired: false,
  waitlisted: false,
  contacted: false,
  getHelpClicked: false,
  book_form_initiated: false,
  book_form_completed: false,
  payment_initiated: false,
  payment_completed: false,
  shortlisted: false,
  lead_uuid: null,
  form_uuid: null,
  payment_token: null,
  redirection_urls: { book_form: null, payment: null },
  rooms: [],
  ...over,
});

test("a bookable home is booked, in the US applied for", () => {
  expect(callToAction(open, chosen, null)).toBe("book");
  expect(callToAction({ ...open, flow: "apply" }, chosen, null)).toBe("apply_now");
});

test("a sold-out home offers the waitlist, once", () => {
  expect(callToAction({ ...open, available: false }, chosen, null)).toBe("join_waitlist");
  expect(callToAction({ ...open, available: false }, chosen, past({ waitlisted: true }))).toBe("waitlisted");
});

test("a closed home leads to others, a paused one to its waitlist", () => {
  const shut = { ...open, available: false, bookable: false };
  expect(callToAction({ ...shut, state: "closed" }, chosen, null)).toBe("see_others");
  expect(callToAction({ ...shut, state: "closed" }, chosen, past({ waitlisted: true }))).toBe("see_others");
  expect(callToAction({ ...shut, state: "closed" }, chosen, past({ payment_completed: true }))).toBe("view_bookings");
  expect(callToAction({ ...shut, state: "paused" }, chosen, null)).toBe("join_waitlist");
});

test("a home that cannot be booked online is asked about", () => {
  expect(callToAction({ ...open, bookable: false }, chosen, null)).toBe("enquire_now");
  expect(callToAction({ ...open, bookable: false }, chosen, past({ enquired: true }))).toBe("enquired");
});

test("a begun booking goes on where it stopped", () => {
  expect(callToAction(open, chosen, past({ book_form_initiated: true }))).toBe("continue_to_book");
  expect(callToAction({ ...open, flow: "apply" }, chosen, past({ book_form_initiated: true }))).toBe(
    "continue_to_apply",
  );
  expect(callToAction(open, chosen, past({ book_form_initiated: true, book_form_completed: true }))).toBe(
    "continue_to_pay",
  );
});

test("a paid booking is shown, even when the home is full by now", () => {
  expect(callToAction({ ...open, available: false }, chosen, past({ payment_completed: true }))).toBe("view_bookings");
});

test("dates that are not offered are a question to us", () => {
  expect(callToAction(open, { ...chosen, option: null, otherDates: true }, null)).toBe("contact_us");
  expect(callToAction(open, { ...chosen, option: null, otherDates: true }, past({ contacted: true }))).toBe(
    "contacted",
  );
});

test("a home that does not say its number of rooms can be booked", () => {
  expect(callToAction(open, { ...chosen, option: { ...room, rooms_left: null } }, null)).toBe("book");
  const over = { ...room, rooms_left: 0, booking_over: true };
  expect(callToAction(open, { ...chosen, option: over }, null)).toBe("contact_us");
});

test("a stay for which nothing is paid online is asked about", () => {
  const free = { ...chosen, option: { ...room, nothing_due: true } };
  expect(callToAction(open, free, null)).toBe("enquire_now");
  expect(callToAction(open, free, past({ enquired: true }))).toBe("enquired");
  expect(callToAction(open, { ...free, option: { ...free.option, rooms_left: 0 } }, null)).toBe("join_waitlist");
});
