import { expect, test } from "vitest";
import type { StateValue } from "xstate";
import type { Mirrored } from "../ui/mirrored.ts";
import { isRetry, plainName, reportOf } from "./report.ts";

function at(value: StateValue, context: object, faults: Mirrored["faults"] = []): Mirrored {
  const actor = { getSnapshot: () => ({ value, context }), subscribe: () => ({ unsubscribe: () => undefined }) };
  return { page: "booking_form", actor, faults };
}

test("a report names fields and codes, never values", () => {
  const context = {
    refusals: [{ field: "personal_form/postcode", code: "required", message: "Write LS1 4AP" }],
    unsaved: { personal_form: { full_name: "Mei Lin", phone: "4242424242424242" } },
  };
  const report = reportOf(at({ filling: "kept" }, context, [["email", "ui.fault_email_pattern"]]), ["field-phone"], 2);
  expect(report).toEqual({
    page: "booking_form",
    state: "filling.kept",
    guards: ["answers_complete"],
    faults: [
      { field: "email", code: "ui.fault_email_pattern" },
      { field: "postcode", code: "required" },
    ],
    fields: ["phone"],
    retries: 2,
    declined: null,
  });
  expect(JSON.stringify(report)).not.toMatch(/Mei|4242|LS1/);
});

test("what is no name of a field is left out", () => {
  const told = ["user_details/name", "address_line_1", "4242424242424242", "Mei Lin", "lead-phone", ""].map(plainName);
  expect(told).toEqual(["name", "address_line_1", null, null, "phone", null]);
});

test("a network failure counts once until it is over", () => {
  expect([
    isRetry(null, "filling.kept"),
    isRetry("filling.kept", "filling.kept"),
    isRetry("failure", "form.editing"),
  ]).toEqual([true, false, false]);
});
