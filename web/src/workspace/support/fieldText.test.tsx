import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import texts from "../../../../i18n/en/timeline_ui.json";
import change from "../../../../i18n/zh/change.json";
import zh from "../../../../i18n/zh/timeline_ui.json";
import ui from "../../../../i18n/zh/ui.json";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { useFieldText } from "./fieldText.ts";

addTexts("en", texts);
addTexts("en", { "support.card_ending": "{brand} ending {last4}" });

function read() {
  return renderHook(() => useFieldText()).result.current;
}

test("stored values read as people say them", () => {
  const { value } = read();
  expect(value("payment", "payment_status", "failed")).toBe("Declined");
  expect(value("lead", "move_in_date", "2027-01-11")).toBe("11 Jan 2027");
  expect(value("payment", "held_until", "2026-11-20T14:20:07.076+00:00")).toBe("20 Nov 14:20:07");
  expect(value("payment", "card", "visa 4242")).toBe("Visa ending 4242");
  expect(value("payment", "decline", "insufficient_funds")).toBe("Not enough money");
  expect(value("lead", "verified", "false")).toBe("No");
});

test("a stay, a quarter and a room read in the reader's language", () => {
  addTexts("zh", zh);
  addTexts("zh", ui);
  addTexts("zh", change);
  const wrapper = ({ children }: { children: ReactNode }) => <LanguageProvider lang="zh">{children}</LanguageProvider>;
  const { value } = renderHook(() => useFieldText(), { wrapper }).result.current;
  expect(value("lead", "lease_duration", "26 weeks")).toBe("26 周");
  expect(value("lead", "lease_duration", "12 months")).toBe("12 个月");
  expect(value("lead", "move_in_date", "july_to_september")).toBe("7月至9月");
  expect(value("lead", "move_in_date", "2027-09")).toBe("2027年9月");
  expect(value("lead", "configuration", "Studio Room")).toBe("单间公寓");
});

test("what nobody wrote a word for is shown as stored", () => {
  const { value, label } = read();
  expect(value("payment", "due", "€103.63")).toBe("€103.63");
  expect(value("lead", "configuration", "Studio Room")).toBe("Studio Room");
  expect(value("lead", "campaign", "spring_sale")).toBe("spring_sale");
  expect(label("lead", "favourite_colour")).toBe("Favourite colour");
});
