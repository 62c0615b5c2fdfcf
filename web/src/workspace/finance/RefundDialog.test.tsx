import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import finance from "../../../../i18n/en/finance.json";
import numbers from "../../../../i18n/en/numbers.json";
import workspace from "../../../../i18n/en/workspace.json";
import type { PaymentDossier } from "../../contract/wire.ts";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { fill } from "../../i18n/message.ts";
import { dossierQuery } from "../queries.ts";
import { RefundDialog } from "./RefundDialog.tsx";

addTexts("en", { ...finance, ...numbers, ...workspace });

afterEach(() => vi.unstubAllGlobals());

const paid: PaymentDossier = {
  payment_id: "p1",
  reference: "P-9F0D",
  status: "success",
  lead_id: "l1",
  lead_reference: "L-48260",
  name_masked: "I••• R•••",
  property: "Meadow Gate, Edinburgh",
  opened_at: "2026-11-14T10:00:00Z",
  currency: "GBP",
  decimals: 2,
  captured_minor: 25_907,
  refunded_minor: 0,
  refund_pending_minor: 0,
  disputed_minor: 0,
  dispute: null,
  refundable_minor: 25_907,
  alone_minor: 10_000,
  processing_fee_minor: 907,
  typed_above_minor: 50_000,
  receipts: [],
  links: [],
  failed_refunds: [],
  choices: [],
  can_cancel_booking: false,
  events: [],
  ledger: [],
  balance_minor: 0,
};

function open(): void {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const client = new QueryClient();
  client.setQueryData(dossierQuery("p1").queryKey, paid);
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={client}>
        <RefundDialog paymentId="p1" onClose={() => undefined} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
}

test("the dialog says the most before an amount is typed", async () => {
  open();
  const most = "GBP 259.07";
  const range = fill(finance["finance.refund_most_alone"], { most, alone: "GBP 100.00" }, "en");
  expect(await screen.findByText(range)).toBeTruthy();
  const field = screen.getByLabelText(fill(finance["finance.amount_in"], { currency: "GBP" }, "en"));
  fireEvent.focus(field);
  fireEvent.change(field, { target: { value: "259.08" } });
  expect(screen.getByRole("alert").textContent).toBe(fill(finance["finance.refund_too_much"], { most }, "en"));
  fireEvent.change(field, { target: { value: "100.01" } });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText(range)).toBeTruthy();
});
