import { render, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { FileCompared, FileLine, Lang } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import "../../i18n/workspaceTexts.ts";
import { FileLines } from "./FileLines.tsx";

const LINE: FileLine = {
  line: 2,
  date: "2026-11-28",
  amount_minor: 881_480,
  currency: "GBP",
  decimals: 2,
  reference: "STRIPE po_1",
  verdict: "matched",
  source: "po_1",
  there_minor: 881_480,
};

const COMPARED: FileCompared = {
  form: "csv",
  lines: [LINE],
  rows: 1,
  headings: 1,
  not_understood: 1,
  odd_rows: [
    { line: 3, text: "31.11.2026;610.00;po_2", reason: "day", source: "po_2" },
    { line: 4, text: "Total;9424.80", reason: "heading", source: null },
  ],
  covered: [{ currency: "GBP", first: "2026-11-01", last: "2026-11-30" }],
  uncovered: null,
  matched: 1,
  differing: 0,
  unknown: 0,
  pending: 0,
  informational: 0,
  missing: 0,
};

async function show(lang: Lang, compared: Partial<FileCompared>) {
  await loadAreas(lang, ["bank_file"]);
  const comparison = { name: "november.csv", compared: { ...COMPARED, ...compared } };
  return render(
    <LanguageProvider lang={lang}>
      <FileLines comparison={comparison} />
    </LanguageProvider>,
  ).container;
}

describe("a file that was compared", () => {
  test("what was not understood is shown with its reason", async () => {
    const shown = await show("en", {});
    expect(shown.textContent).toContain("1 row not understood");
    const [odd, heading] = shown.querySelectorAll(".bf-odd");
    expect(odd?.textContent).toBe(
      "Line 3The day cannot be read. It names po_2, which is not counted as missing.31.11.2026;610.00;po_2",
    );
    expect(heading?.textContent).toContain("Total;9424.80");
    expect(shown.textContent).toContain("Payouts in GBP can be missing from 2026-11-01 to 2026-11-30.");
  });

  test("says so in Chinese", async () => {
    const shown = await show("zh", {});
    expect(shown.textContent).toContain("1 行未能识别");
    expect(shown.querySelector(".bf-odd")?.textContent).toContain("日期无法识别。");
  });

  test("shows no 0 for what could not be told", async () => {
    await show("en", { missing: null, covered: [], uncovered: "notification" });
    expect(screen.getByRole("button", { name: /Missing in the file/ }).textContent).toBe(
      "Missing in the file not compared",
    );
    expect(screen.getByText(/so no payout is called missing/)).not.toBeNull();
  });

  test("offers announced entries only where there are some", async () => {
    const names = () => screen.getAllByRole("button").map((button) => button.textContent);
    await show("en", { lines: [{ ...LINE, verdict: "pending" }], matched: 0, pending: 1 });
    expect(names()).toContain("Announced 1");
    expect(names().some((name) => name?.startsWith("For information"))).toBe(false);
  });
});
