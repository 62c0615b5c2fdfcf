import { render } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import finance from "../../../../i18n/en/finance.json";
import provider from "../../../../i18n/en/provider.json";
import { loadAreas } from "../../i18n/catalogue.ts";
import "../../i18n/workspaceTexts.ts";
import { useProviderWords } from "./providerWords.ts";

beforeAll(() => loadAreas("en", ["provider", "finance"]));

type Kind = keyof ReturnType<typeof useProviderWords>;

function Word({ kind, word }: { kind: Kind; word: string }) {
  return <>{useProviderWords()[kind](word)}</>;
}

const shown = (kind: Kind, word: string) => render(<Word kind={kind} word={word} />).container.textContent;

test("movements are named in the reader's language", () => {
  expect(shown("movement", "charge")).toBe("Charge");
  expect(shown("movement", "adjustment")).toBe("Adjustment, e.g. for a dispute");
  expect(shown("movement", "captured")).toBe(finance["finance.kind_captured"]);
  expect(shown("movement", "refund_acknowledged")).toBe(finance["finance.kind_refund_acknowledged"]);
});

test("states of payouts and kinds of notices have texts", () => {
  expect(shown("payoutState", "in_transit")).toBe("on its way");
  expect(shown("notice", "payment_intent.succeeded")).toBe("Payment succeeded");
  expect(shown("notice", "charge.dispute.created")).toBe("Dispute");
});

/** Words that the provider adds after this was written, and names that every object has. */
test("words without a text are shown as the provider's", () => {
  expect(shown("movement", "moon_fee")).toBe(provider["provider.movement_other"].replace("{word}", "moon_fee"));
  expect(shown("payoutState", "toString")).toBe("state “toString”");
  expect(shown("notice", "constructor")).toBe("Notice “constructor”");
});
