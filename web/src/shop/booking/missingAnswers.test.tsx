import { fireEvent, render, waitFor } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import english from "../../../../i18n/en/missing_answers.json";
import { loadAreas, text } from "../../i18n/catalogue.ts";
import type { Translate } from "../../i18n/i18n.tsx";
import { fill } from "../../i18n/message.ts";
import type { FormField } from "./fields.ts";
import { loadMissing } from "./missingAnswers.ts";
import { SectionForm } from "./SectionForm.tsx";

beforeAll(() => loadAreas("en", ["booking", "ui"]));

const t: Translate = (key, params = {}) => text("en", key, params);

function field(key: string, type: FormField["type"] = "text"): FormField {
  return { key, type, required: true, options: [], visible_if: null };
}

test("a missing answer is named, whose details it is too", async () => {
  const say = await loadMissing("en");
  const required = "booking.fault_required";
  expect(say(t, "personal_form", field("dob", "date"), required)).toBe(english["missing_answers.dob"]);
  expect(say(t, "personal_form", field("full_name"), required)).toBe(english["missing_answers.full_name"]);
  expect(say(t, "guarantor_form", field("full_name"), required)).toBe(english["missing_answers.their_full_name"]);
  expect(say(t, "personal_form", field("email", "email"), "booking.fault_age")).toBeNull();
  const genuine = field("documents_are_genuine", "checkbox");
  expect(say(t, "confirmation_documents", genuine, "booking.fault_accept")).toBe(
    english["missing_answers.documents_are_genuine"],
  );
});

test("a property's own question is named as the form names it", async () => {
  const say = await loadMissing("en");
  const named = { field: "Pets you bring" };
  expect(say(t, "personal_form", field("pets_you_bring"), "booking.fault_required")).toBe(
    fill(english["missing_answers.any"], named, "en"),
  );
  expect(say(t, "guarantor_form", field("pets_you_bring", "select"), "booking.fault_choice")).toBe(
    fill(english["missing_answers.any_choice"], named, "en"),
  );
});

test("each field left empty says another sentence", async () => {
  const fields = ["full_name", "dob", "city", "postcode", "university", "pets"].map((key) => field(key));
  const section = { key: "personal_form", hidden: false, step: 2, last: false, after_payment: false, fields } as const;
  const nothing = () => undefined;
  render(
    <SectionForm
      {...{ formId: "f", section, answers: {}, refusals: [], trouble: null, countryKey: "GB", startAt: null }}
      {...{ onTyped: nothing, onEntered: nothing, onLeft: nothing, onContinue: nothing }}
    />,
  );
  fireEvent.submit(document.querySelector("form") ?? document.body);
  const said = () => [...document.querySelectorAll(".err")].map(({ textContent }) => textContent);
  await waitFor(() => expect(said()).toContain(english["missing_answers.dob"]));
  expect(new Set(said()).size).toBe(fields.length);
});
