import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import finance from "../../../../../i18n/en/finance.json";
import numbers from "../../../../../i18n/en/numbers.json";
import whatIf from "../../../../../i18n/en/what_if.json";
import type { WhatIfConditions } from "../../../contract/wire.ts";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import { fill } from "../../../i18n/message.ts";
import { ConditionFields } from "./ConditionFields.tsx";

addTexts("en", { ...finance, ...numbers, ...whatIf });

/** Types into the field and leaves it: what is taken to be otherwise, and what is said. */
function leave(label: string, typed: string): [Partial<WhatIfConditions> | undefined, string | null] {
  const taken: WhatIfConditions[] = [];
  const { unmount } = render(
    <LanguageProvider lang="en">
      <ConditionFields conditions={{}} faults={new Map()} onChange={(conditions) => taken.push(conditions)} />
    </LanguageProvider>,
  );
  const field = screen.getByLabelText(label);
  fireEvent.change(field, { target: { value: typed } });
  fireEvent.blur(field);
  const said = screen.queryByRole("alert", { hidden: true })?.textContent ?? null;
  unmount();
  return [taken.at(-1), said];
}

test("a doubted refund limit is not taken, both readings are named", () => {
  const field = whatIf["what_if.limit"];
  for (const typed of ["1.250", "1,250"])
    expect(leave(field, typed)).toEqual([
      { refund_limit: null },
      fill(finance["finance.whole_two_ways"], { field, typed, whole: "1250", part: "1.25" }, "en"),
    ]);
  expect(leave(field, "1.250,00")).toEqual([{ refund_limit: 1_250 }, null]);
});

test("the place of an event is a count with marks", () => {
  expect(leave(whatIf["what_if.leave_out"], "1,250")).toEqual([{ leave_out: 1_250 }, null]);
});
