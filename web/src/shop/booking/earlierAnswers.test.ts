import { expect, test } from "vitest";
import type { BookingForm } from "../../contract/wire.ts";
import { answersAsked } from "./earlierAnswers.ts";

const field = (key: string, options: string[] = []) => ({
  key,
  type: options.length > 0 ? ("select" as const) : ("text" as const),
  required: true,
  options,
  visible_if: null,
});

const asked: BookingForm = {
  form_uuid: "f-1",
  lead_uuid: "l-1",
  inventory_id: "room-1",
  flow: "book",
  status: "started",
  version: 1,
  sections: {},
  completed_sections: [],
  documents: [],
  place: null,
  price_lock: null,
  stay: null,
  form: {
    sections: [
      {
        key: "personal_form",
        hidden: false,
        step: 2,
        last: true,
        after_payment: false,
        fields: [field("full_name"), field("title", ["ms", "mr"]), field("student_number")],
      },
    ],
  },
};

// A field or a choice that this home does not have is left out, not sent along unseen.
test("earlier answers fill only what this form asks", () => {
  const earlier = {
    personal_form: { full_name: "Mei Lin", title: "dr", pet: "cat" },
    emergency_form: { full_name: "Li Chen" },
  };
  expect(answersAsked(asked, earlier)).toEqual({ personal_form: { full_name: "Mei Lin" } });
});
