import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import finance from "../../../i18n/en/finance.json";
import numbers from "../../../i18n/en/numbers.json";
import financeZh from "../../../i18n/zh/finance.json";
import numbersZh from "../../../i18n/zh/numbers.json";
import type { Lang } from "../contract/wire.ts";
import { addTexts } from "../i18n/catalogue.ts";
import { LanguageProvider } from "../i18n/i18n.tsx";
import { fill } from "../i18n/message.ts";
import { RefundAmountField } from "./RefundAmountField.tsx";
import type { Refundable } from "./refundAmount.ts";

addTexts("en", { ...finance, ...numbers });
addTexts("zh", { ...financeZh, ...numbersZh });

const paid: Refundable = { refundable_minor: 25_907, currency: "GBP", decimals: 2 };

function Asking({ payment, lang }: { payment: Refundable; lang: Lang }) {
  const [typed, setTyped] = useState("");
  return (
    <LanguageProvider lang={lang}>
      <RefundAmountField label="Amount" payment={payment} typed={typed} fault={undefined} onType={setTyped} />
    </LanguageProvider>
  );
}

/** The text below the empty field. */
function mostOf(part: Partial<Refundable>, lang: Lang = "en"): string {
  const { container, unmount } = render(<Asking payment={{ ...paid, ...part }} lang={lang} />);
  const said = container.querySelector("p.sub")?.textContent ?? "";
  unmount();
  return said;
}

test("the most is said before an amount is typed", () => {
  const most = "GBP 259.07";
  const said = (key: "refund_most" | "refund_most_alone" | "refund_most_second", params = {}) =>
    fill(finance[`finance.${key}`], { most, ...params }, "en");
  expect(mostOf({})).toBe(said("refund_most"));
  expect(mostOf({ alone_minor: null })).toBe(said("refund_most"));
  expect(mostOf({ alone_minor: 25_907 })).toBe(said("refund_most"));
  expect(mostOf({ alone_minor: 10_000 })).toBe(said("refund_most_alone", { alone: "GBP 100.00" }));
  expect(mostOf({ alone_minor: 0 })).toBe(said("refund_most_second"));
  expect(mostOf({ currency: "KWD", decimals: 3 })).toBe(said("refund_most", { most: "KWD 25.907" }));
  expect(mostOf({}, "zh")).toBe(fill(financeZh["finance.refund_most"], { most }, "zh"));
});

test("more than the most is said at once, a doubt on leaving", () => {
  render(<Asking payment={paid} lang="en" />);
  const field = screen.getByLabelText("Amount");
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  const fault = () => screen.queryByRole("alert")?.textContent ?? null;
  type("259.07");
  expect(fault()).toBeNull();
  type("259.08");
  expect(fault()).toBe(fill(finance["finance.refund_too_much"], { most: "GBP 259.07" }, "en"));
  expect(field.getAttribute("aria-invalid")).toBe("true");
  type("1.250");
  expect(fault()).toBeNull();
  fireEvent.blur(field);
  expect(fault()).toBe(
    fill(numbers["numbers.two_ways"], { field: "Amount", typed: "1.250", first: "1250", second: "1.25" }, "en"),
  );
  type("");
  expect(fault()).toBeNull();
});
