import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import texts from "../../../i18n/en/timeline_ui.json";
import { addTexts } from "../i18n/catalogue.ts";
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
  expect(value("payment", "decline", "insufficient_funds")).toBe("not enough money");
  expect(value("lead", "verified", "false")).toBe("no");
});

test("what nobody wrote a word for is shown as stored", () => {
  const { value, label } = read();
  expect(value("payment", "due", "€103.63")).toBe("€103.63");
  expect(value("lead", "configuration", "Studio Room")).toBe("Studio Room");
  expect(value("lead", "campaign", "spring_sale")).toBe("spring_sale");
  expect(label("lead", "favourite_colour")).toBe("Favourite colour");
});
