import { expect, test } from "vitest";
import booking from "../../../../i18n/zh/booking.json";
import leadForm from "../../../../i18n/zh/lead_form.json";
import type { LeadForm } from "../../contract/wire.ts";
import { addTexts, text } from "../../i18n/catalogue.ts";
import type { Translate } from "../../i18n/i18n.tsx";
import { answerText, inOrder, questionText } from "./formAnswer.ts";

addTexts("zh", booking);
addTexts("zh", leadForm);

const t: Translate = (key, params = {}) => text("zh", key, params);
const passport = { id: "0a2b", name: "Pass Mei.pdf", media_type: "application/pdf", size_bytes: 9, opened: [] };
const form: LeadForm = { submitted: false, sections: [], documents: [passport, { ...passport, id: "0a2c", name: "" }] };
const read = (name: string, answer: string) => answerText({ name, answer, former: false }, form, t, "zh");

test("questions of a form read in the reader's language", () => {
  const ask = (name: string) => questionText({ name, answer: "", former: false }, t);
  expect(ask("dob")).toBe("出生日期");
  // The form says "to you" to the student; support reads of the student.
  expect(ask("relation")).toBe("与学生的关系");
  expect(ask("key_of_a_property")).toBe("Key of a property");
});

test("answers of a form read in the reader's language", () => {
  expect(read("enrolment_status", "offer_accepted")).toBe("已接受录取");
  expect(read("title", "ms")).toBe("女士");
  expect(read("nationality", "CN")).toBe("中国");
  expect(read("dob", "2004-05-17")).toBe("2004年5月17日");
  expect(read("same_as_emergency", "true")).toBe("是");
  expect(read("smokes", "false")).toBe("否");
});

test("a document is named, and what was typed stays as typed", () => {
  expect(read("identity_file", "0a2b")).toBe("Pass Mei.pdf");
  expect(read("identity_file", "0a2c")).toBe(t("lead_form.unnamed"));
  expect(read("state", "CA")).toBe("CA");
  expect(read("gender", "woman")).toBe("woman");
  expect(read("meal_plan", "half_board")).toBe("Half board");
});

test("answers stand as the form asks, former ones last", () => {
  const field = (name: string, former = false) => ({ name, answer: "x", former });
  const names = inOrder([field("city"), field("full_name", true), field("pets"), field("title")]).map(
    ({ name }) => name,
  );
  expect(names).toEqual(["title", "city", "pets", "full_name"]);
});
