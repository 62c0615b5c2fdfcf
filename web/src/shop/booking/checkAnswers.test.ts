import { expect, test } from "vitest";
import type { Section } from "./bookingContext.ts";
import { answerFaults, shownDate, typedDate } from "./checkAnswers.ts";
import { type FormField, groupsOf } from "./fields.ts";

const today = "2026-11-20";

function field(key: string, type: FormField["type"], more: Partial<FormField> = {}): FormField {
  return { key, type, required: true, options: [], visible_if: null, ...more };
}

function section(fields: FormField[], key: Section["key"] = "personal_form"): Section {
  return { key, hidden: false, step: 2, last: false, after_payment: false, fields };
}

test("a date of birth must make its owner 16 to 99", () => {
  const birth = section([field("dob", "date")]);
  const fault = (dob: string) => answerFaults(birth, { dob }, today).get("dob");
  expect(fault("2006-03-14")).toBeUndefined();
  expect(fault("2010-11-20")).toBeUndefined();
  expect(fault("2010-11-21")).toBe("booking.fault_age");
  expect(fault("1926-11-20")).toBe("booking.fault_age");
  expect(fault("2006-02-30")).toBe("booking.fault_date");
  expect(fault("14 / 03")).toBe("booking.fault_date");
});

test("what is not asked is not checked", () => {
  const guarantor = section(
    [
      field("same_as_emergency", "checkbox", { required: false }),
      field("full_name", "text", { visible_if: { field: "same_as_emergency", equals: "false" } }),
    ],
    "guarantor_form",
  );
  expect(answerFaults(guarantor, { same_as_emergency: true }, today).size).toBe(0);
  expect([...answerFaults(guarantor, {}, today).keys()]).toEqual(["full_name"]);
});

// Hong Kong and the Emirates have no postal codes.
test("a postal code is asked for where the country has them", () => {
  const address = section([field("postcode", "text"), field("country", "country")]);
  const asked = (country: string) => answerFaults(address, { country }, today).has("postcode");
  expect(["HK", "AE", "ZW", "GB", "CN", "IE"].map(asked)).toEqual([false, false, false, true, true, true]);
  expect(answerFaults(address, {}, today).has("postcode")).toBe(true);
  const fields = groupsOf(address).flatMap((group) => group.fields);
  expect(fields.map(({ key }) => key)).toEqual(["country", "postcode"]);
});

// Empty answers say what to do, and a code without a number is empty.
test("empty answers say what to do, as does a code without number", () => {
  const contact = section([
    field("phone", "phone"),
    field("country", "country"),
    field("course", "text", { required: false }),
  ]);
  const faults = answerFaults(contact, { phone: "+34", course: "" }, today);
  expect([...faults]).toEqual([
    ["phone", "booking.fault_required"],
    ["country", "booking.fault_choice"],
  ]);
});

// A date is typed in the reader's order and kept as ISO once it is whole.
test("a date is typed in local order and kept as ISO once whole", () => {
  expect(typedDate("1403", false)).toBe("14 / 03");
  expect(typedDate("14 / 03 / 2006", false)).toBe("2006-03-14");
  expect(typedDate("20060314", true)).toBe("2006-03-14");
  expect(shownDate("2006-03-14", false)).toBe("14 / 03 / 2006");
  expect(shownDate("2006-03-14", true)).toBe("2006 / 03 / 14");
  expect(shownDate("14 / 03", false)).toBe("14 / 03");
});

// A property's own questions come last, in a group of their own.
test("a property's own questions come last in their own group", () => {
  const groups = groupsOf(section([field("pets", "text"), field("full_name", "text"), field("city", "text")]));
  expect(groups.map(({ title, fields }) => [title, fields.map(({ key }) => key)])).toEqual([
    ["booking.group_about", ["full_name"]],
    ["booking.group_address", ["city"]],
    ["booking.group_more", ["pets"]],
  ]);
});

// Another client may have sent the number in one piece.
test("a phone number with its country code in one piece is taken", () => {
  const contact = section([field("phone", "phone")]);
  const fault = (phone: string) => answerFaults(contact, { phone }, today).get("phone");
  expect(fault("+447700900123")).toBeUndefined();
  expect(fault("+44-7700900123")).toBeUndefined();
  expect(fault("+44770")).toBe("ui.fault_phone_number");
});
