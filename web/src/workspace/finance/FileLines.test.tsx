import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import texts from "../../../../i18n/en/bank_file.json";
import chinese from "../../../../i18n/zh/bank_file.json";
import type { BankStatement, FileCompared, FileLine, Lang } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { fill } from "../../i18n/message.ts";
import "../../i18n/workspaceTexts.ts";
import { FileLines } from "./FileLines.tsx";

const LINE: FileLine = {
  place: 0,
  line: 2,
  date: "2026-11-28",
  amount_minor: 881_480,
  currency: "GBP",
  decimals: 2,
  reference: "STRIPE po_1",
  verdict: "matched",
  by: "id",
  source: "po_1",
  there_minor: 881_480,
  decided: null,
  words_removed: false,
};

const STATEMENT: BankStatement = {
  id: "0193a000-0000-7000-8000-000000000001",
  sha256: "9f",
  form: "csv",
  account_end: "4417",
  bytes: 100,
  rows: 1,
  covered: [],
  kept_at: "2026-11-28T09:12:00Z",
  kept_by: "elena",
  kept_until: "2033-11-28T09:12:00Z",
  decided: 0,
  redacted: 0,
  openings: [],
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
  by_hand: 0,
  explained: 0,
  open_payouts: [],
  statement: STATEMENT,
  was_known: false,
};

async function show(lang: Lang, compared: Partial<FileCompared>) {
  await loadAreas(lang, ["bank_file"]);
  const comparison = { name: "november.csv", compared: { ...COMPARED, ...compared } };
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <LanguageProvider lang={lang}>
        <FileLines comparison={comparison} />
      </LanguageProvider>
    </QueryClientProvider>,
  ).container;
}

describe("a file that was compared", () => {
  test("what was not understood is shown with its reason", async () => {
    const shown = await show("en", {});
    expect(shown.textContent).toContain("1 row not understood");
    const [odd, heading] = shown.querySelectorAll(".bf-odd");
    const why = `${texts["bank_file.reason_day"]} ${fill(texts["bank_file.odd_source"], { source: "po_2" }, "en")}`;
    expect(odd?.textContent).toBe(`Line 3${why}31.11.2026;610.00;po_2`);
    expect(heading?.textContent).toContain("Total;9424.80");
    expect(shown.textContent).toContain(
      fill(texts["bank_file.covered"], { currency: "GBP", first: "2026-11-01", last: "2026-11-30" }, "en"),
    );
  });

  test("says so in Chinese", async () => {
    const shown = await show("zh", {});
    expect(shown.textContent).toContain("1 行未能识别");
    expect(shown.querySelector(".bf-odd")?.textContent).toContain(chinese["bank_file.reason_day"]);
  });

  test("says by what a line was found", async () => {
    const byId = await show("en", {});
    expect(byId.querySelector(".rm-one")?.textContent).toContain(
      `${texts["bank_file.found"]}: po_1 · ${texts["bank_file.found_by_id"]}`,
    );
    const byAmount = await show("zh", { lines: [{ ...LINE, by: "amount" }] });
    expect(byAmount.querySelector(".rm-one")?.textContent).toContain(`po_1 · ${chinese["bank_file.found_by_amount"]}`);
  });

  test("shows no 0 for what could not be told", async () => {
    await show("en", { missing: null, covered: [], uncovered: "notification" });
    expect(screen.getByRole("button", { name: /Missing in the file/ }).textContent).toBe(
      "Missing in the file not compared",
    );
    expect(screen.getByText(texts["bank_file.uncovered_notification"])).not.toBeNull();
  });

  test("offers announced entries only where there are some", async () => {
    const names = () => screen.getAllByRole("button").map((button) => button.textContent);
    await show("en", { lines: [{ ...LINE, verdict: "pending" }], matched: 0, pending: 1 });
    expect(names()).toContain("Announced 1");
    expect(names().some((name) => name?.startsWith("For information"))).toBe(false);
  });

  test("payouts are offered for an unmatched line, the nearest first", async () => {
    const payout = { currency: "GBP", decimals: 2, day: "2026-11-28" };
    const open_payouts = [
      { ...payout, id: "po_far", amount_minor: 100 },
      { ...payout, id: "po_euro", amount_minor: 881_480, currency: "EUR" },
      { ...payout, id: "po_near", amount_minor: 881_580 },
    ];
    await show("en", { lines: [{ ...LINE, verdict: "unknown", source: null, there_minor: null }], open_payouts });
    fireEvent.click(screen.getByRole("button", { name: "Match by hand" }));
    const choices = await screen.findAllByRole("radio");
    const names = choices.map((choice) => choice.closest("label")?.textContent ?? "");
    expect(names.slice(0, 3).map((name) => name.split(" · ")[2])).toEqual(["po_near", "po_far", "po_euro"]);
    expect(choices.some((choice) => choice.matches(":checked"))).toBe(false);
    expect(screen.getByRole("button", { name: "Save" }).hasAttribute("disabled")).toBe(true);
    expect(screen.queryByRole("textbox")).toBeNull();
    const other = screen.getByRole("radio", { name: texts["bank_file.reason_line_bank_charge"] });
    fireEvent.click(other);
    expect(screen.getByRole("textbox", { name: "Note for colleagues (optional)" })).not.toBeNull();
  });

  test("says who matched a line and what is between both amounts", async () => {
    const decided = {
      payout: "po_1",
      reason: null,
      note: "checked with the bank",
      by: "elena",
      at: "2026-11-28T09:12:00Z",
    };
    const line: FileLine = { ...LINE, verdict: "by_hand", amount_minor: 881_380, decided };
    const shown = await show("en", { lines: [line], matched: 0, by_hand: 1 });
    expect(shown.textContent).toContain("Matched by hand 1");
    const there = { there: "GBP 8,814.80", difference: "+GBP 1.00" };
    expect(shown.textContent).toContain(fill(texts["bank_file.because_differing"], there, "en"));
    expect(shown.textContent).toContain("elena, ");
    expect(shown.textContent).toContain("Note: checked with the bank");
    expect(screen.getByRole("button", { name: "Reopen" })).not.toBeNull();
  });
});
