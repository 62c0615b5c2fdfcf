import { expect, test } from "vitest";
import { leaseEnd } from "./lease.ts";

test("a stay ends its weeks or months after it begins", () => {
  expect(leaseEnd({ move_in_date: "2027-09-11", lease_duration: 44, lease_duration_unit: "weeks" })).toBe("2028-07-15");
  expect(leaseEnd({ move_in_date: "2027-09-01", lease_duration: 12, lease_duration_unit: "months" })).toBe(
    "2028-09-01",
  );
});

// The server holds the room until 29 February.
test("a stay into a shorter month ends on that month's last day", () => {
  expect(leaseEnd({ move_in_date: "2027-08-31", lease_duration: 6, lease_duration_unit: "months" })).toBe("2028-02-29");
  expect(leaseEnd({ move_in_date: "2027-01-31", lease_duration: 1, lease_duration_unit: "months" })).toBe("2027-02-28");
});

test("a date that is none is given back", () => {
  expect(leaseEnd({ move_in_date: "soon", lease_duration: 4, lease_duration_unit: "weeks" })).toBe("soon");
});
