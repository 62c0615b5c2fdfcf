import { render } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import type { ReceiptClock, ReceiptFacts } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import { Rows, useNumberRows } from "./facts.tsx";

beforeAll(() => loadAreas("en", ["receipt", "ui"]));

const facts: ReceiptFacts = {
  number: "R-1",
  kind: "receipt",
  issued_at: "2026-11-28T23:30:00Z",
  receipt_number: null,
  currency: "GBP",
  decimals: 2,
  lines: [],
  total_minor: 0,
  refunded_minor: 0,
  charges: [],
  refunds: [],
};

function Shown({ clock }: { clock: ReceiptClock }) {
  return <Rows rows={useNumberRows({ facts, clock })} />;
}

/** As its PDF says it: it is the next day in Shanghai, whichever clock the reader has. */
test("a receipt's page tells its time on the home's clock", () => {
  const { container } = render(<Shown clock={{ zone: "Asia/Shanghai", name: "Shanghai time" }} />);
  expect(container.textContent).toMatch(/29 Nov 2026.*07:30 \(Shanghai time\)/);
});
