import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeAll, expect, test } from "vitest";
import numbers from "../../../../i18n/en/numbers.json";
import { loadAreas } from "../../i18n/catalogue.ts";
import { fill } from "../../i18n/message.ts";
import { BudgetAmount } from "./BudgetAmount.tsx";

beforeAll(() => loadAreas("en", ["search", "ui", "numbers"]));

const said = (doubt: "none" | "whole") => fill(numbers[`numbers.${doubt}`], { field: "Lowest", example: "1250" }, "en");

/** The field, with what it makes of what is typed. */
function Lowest() {
  const [value, setValue] = useState<number | null>(120);
  return (
    <>
      <BudgetAmount id="low" label="Lowest" symbol="£" currency="GBP" value={value} onChange={setValue} />
      <output>{String(value)}</output>
      <button type="button" onClick={() => setValue(300)}>
        Slide
      </button>
    </>
  );
}

function type(text: string): HTMLElement {
  const field = screen.getByLabelText("Lowest");
  fireEvent.change(field, { target: { value: text } });
  fireEvent.blur(field);
  return screen.getByRole("status");
}

test("a price is whole units, also with marks between thousands", () => {
  render(<Lowest />);
  for (const [typed, value] of [
    ["250", "250"],
    ["1,250", "1250"],
    ["£250", "250"],
    ["250.00", "250"],
    ["", "null"],
  ] as const)
    expect([typed, type(typed).textContent]).toEqual([typed, value]);
});

test("a doubted price narrows nothing and says what to write", () => {
  render(<Lowest />);
  expect(type("250,50").textContent).toBe("null");
  expect(screen.getByText(said("whole"))).toBeTruthy();
  expect(type("250-300").textContent).toBe("null");
  expect(screen.getByText(said("none"))).toBeTruthy();
  fireEvent.click(screen.getByText("Slide"));
  expect(screen.getByLabelText("Lowest")).toHaveProperty("value", "300");
  expect(screen.queryByText(/^Lowest: /)).toBeNull();
});
