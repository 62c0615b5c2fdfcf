import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import links from "../../../i18n/en/links.json";
import numbers from "../../../i18n/en/numbers.json";
import ui from "../../../i18n/en/ui.json";
import linksZh from "../../../i18n/zh/links.json";
import numbersZh from "../../../i18n/zh/numbers.json";
import uiZh from "../../../i18n/zh/ui.json";
import type { PaymentLinks } from "../contract/wire.ts";
import { addTexts } from "../i18n/catalogue.ts";
import { LanguageProvider } from "../i18n/i18n.tsx";
import { fill, type MessageParams } from "../i18n/message.ts";
import { NewPaymentLink } from "./NewPaymentLink.tsx";

addTexts("en", { ...links, ...ui, ...numbers });
addTexts("zh", { ...linksZh, ...uiZh, ...numbersZh });

type Doubt = "two_ways" | "unclear" | "too_fine" | "whole" | "zero";
const said = (doubt: Doubt, params: MessageParams = {}) =>
  fill(numbers[`numbers.${doubt}`], { field: "Amount", ...params }, "en");
afterEach(() => vi.unstubAllGlobals());

/** Sends the form with this amount, and answers what went to the server. */
async function make(amount: string, money: Partial<PaymentLinks> = {}, lang: "en" | "zh" = "en"): Promise<unknown> {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (request: Request | string, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    return Promise.reject(new TypeError(String(request)));
  });
  const { container, unmount } = render(
    <LanguageProvider lang={lang}>
      <QueryClientProvider client={new QueryClient()}>
        <NewPaymentLink leadId="l" links={{ ...none, ...money }} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  for (const field of container.querySelectorAll("input[inputmode=decimal]"))
    fireEvent.change(field, { target: { value: amount } });
  for (const field of container.querySelectorAll("input[maxlength]"))
    fireEvent.change(field, { target: { value: "agreed by phone" } });
  for (const form of container.querySelectorAll("form")) fireEvent.submit(form);
  const said = (await screen.findByRole("alert")).textContent;
  unmount();
  return sent.length > 0 ? sent[0] : said;
}

const none: PaymentLinks = {
  can_make: true,
  currency: "GBP",
  decimals: 2,
  most_minor: 1_000_000_00,
  links: [],
  origin: null,
};

test("a link is made for the amount that was typed", async () => {
  expect(await make("12,50")).toMatchObject({ amount_minor: 1_250 });
  expect(await make("1,156.00")).toMatchObject({ amount_minor: 115_600 });
  expect(await make("1.250", { currency: "KRW", decimals: 0 })).toMatchObject({ amount_minor: 1_250 });
  expect(await make("12,5", { currency: "KWD", decimals: 3 })).toMatchObject({ amount_minor: 12_500 });
});

test("a doubted amount makes no link, and what to write is said", async () => {
  expect(await make("1,250")).toBe(said("two_ways", { typed: "1,250", first: "1250", second: "1.25" }));
  expect(await make("12,345")).toBe(said("unclear", { typed: "12,345", first: "12345", n: 2, example: "12.50" }));
  expect(await make("12.345", { currency: "KWD", decimals: 3 })).toBe(
    said("two_ways", { typed: "12.345", first: "12345", second: "12.3450" }),
  );
  expect(await make("0.125")).toBe(said("too_fine", { n: 2, example: "12.50" }));
  expect(await make("2,5", { currency: "KRW", decimals: 0 })).toBe(said("whole", { example: "1250" }));
  expect(await make("0")).toBe(said("zero"));
  expect(await make("1,250", {}, "zh")).toBe("金额：“1,250”可能有两种含义，请写 1250 或 1.25");
});
