import { render, screen } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import payments from "../../../../i18n/en/payment.json";
import { loadAreas } from "../../i18n/catalogue.ts";
import { payment } from "../../testing/samplePayment.ts";
import { PriceMini, PriceSummary } from "./PriceSummary.tsx";

beforeAll(() => loadAreas("en", ["payment", "ui"]));

const exempt = payment("initiated", 3, {
  processing_fee_minor: 0,
  processing_fee_percent: "0",
  total_minor: 25_000,
});

test("processing fee has a line with its percentage", () => {
  render(<PriceSummary payment={payment("initiated", 3)} outcome="due" />);
  expect(screen.getByText("Processing fee")).toBeTruthy();
  expect(screen.getByText(payments["payment.processing_note"].replace("{percent}", "3.627"))).toBeTruthy();
});

/** Where a country is exempt, or the rate is 0, nothing is added (D39). */
test("fee that is not taken has no line", () => {
  const { container } = render(
    <>
      <PriceSummary payment={exempt} outcome="due" />
      <PriceMini payment={exempt} />
    </>,
  );
  expect(container.textContent).not.toMatch(/fee|£0\.00/i);
});
