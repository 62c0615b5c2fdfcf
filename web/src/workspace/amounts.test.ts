import { expect, test } from "vitest";
import cases from "../../../i18n/forms.cases.json";
import { pageLanguages } from "../i18n/languages.ts";
import { exact, writeMoney, writeSigned } from "./amounts.ts";

test("an amount shows every minor unit, grouped, with a true minus", () => {
  expect(exact(25_907, 2)).toBe("259.07");
  expect(exact(-103_627, 2)).toBe("−1,036.27");
  expect(exact(5, 2)).toBe("0.05");
  expect(exact(0, 2)).toBe("0.00");
  expect(exact(1_250_000, 0)).toBe("1,250,000");
  expect(exact(18_420_641, 2)).toBe("184,206.41");
});

// GLOSSARY.md §3: books write the currency's code where the language has it; the sign comes first, as on papers. Money that came in
// carries a plus, money that went out a minus.
test("an amount in the books carries its currency's code", () => {
  const pounds = { decimals: 2, currency: "GBP" };
  expect([writeMoney(125_050, pounds), writeMoney(-125_050, pounds)]).toEqual(["GBP 1,250.50", "−GBP 1,250.50"]);
  expect([writeSigned(100, pounds), writeSigned(-100, pounds), writeSigned(0, pounds)]).toEqual([
    "+GBP 1.00",
    "−GBP 1.00",
    "GBP 0.00",
  ]);
  expect(writeMoney(1_250_000, { decimals: 0, currency: "KRW" })).toBe("KRW 1,250,000");
  expect(writeMoney(25_907, { decimals: 2, currency: null })).toBe("259.07");
});

// The server's books read the same table.
test("each language puts the code where its books have it", () => {
  const row: Partial<Record<string, string | number>> = cases.find(({ is }) => is === "money_code") ?? {};
  const before = document.documentElement.lang;
  for (const [lang] of pageLanguages()) {
    document.documentElement.lang = lang;
    expect(writeMoney(Number(row["of"]), { decimals: 2, currency: "GBP" })).toBe(row[lang]);
  }
  document.documentElement.lang = before;
});
