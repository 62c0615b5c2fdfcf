import { render } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import zh from "../../../../i18n/zh/verify.json";
import type { ReceiptClock, ReceiptFacts } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { Rows, useNumberRows, useOwnClock } from "./facts.tsx";

beforeAll(() => loadAreas("en", ["receipt", "verify", "ui"]));

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

function Checked({ zone }: { zone: string }) {
  return <Rows rows={useNumberRows({ facts, clock: useOwnClock(zone) })} />;
}

test.each([
  ["Europe/London", /28 Nov 2026.*23:30 \(London time\)/],
  ["America/St_Johns", /28 Nov 2026.*20:00 \(St Johns time\)/],
])("a checked receipt tells its time by the name of %s", (zone, told) => {
  expect(render(<Checked zone={zone} />).container.textContent).toMatch(told);
});

/** A zone's key names its city in one language, and the browser's own names are of countries or standard times. */
test("another language calls the reader's clock theirs", async () => {
  await loadAreas("zh", ["receipt", "verify", "ui"]);
  const { container } = render(
    <LanguageProvider lang="zh">
      <Checked zone="Europe/London" />
    </LanguageProvider>,
  );
  expect(container.textContent).toContain(`23:30（${zh["verify.own_clock"]}）`);
});

test.each(["UTC", "Etc/UTC"])("a device set to %s says no name of a clock", (zone) => {
  const { textContent } = render(<Checked zone={zone} />).container;
  expect(textContent).toMatch(/2[89] Nov 2026, \d\d:\d\d/);
  expect(textContent).not.toMatch(/UTC|\(/);
});
