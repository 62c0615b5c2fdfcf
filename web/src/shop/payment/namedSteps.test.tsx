import { render } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import type { PaymentStatus } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import { payment } from "../../testing/samplePayment.ts";
import { stepOf } from "./PaymentScreen.tsx";
import { RatingCard } from "./RatingCard.tsx";

beforeAll(() => loadAreas("en", ["payment", "ui", "shell"]));

test("each status of a payment is the step the specification names", () => {
  const steps: [PaymentStatus, string][] = [
    ["init", "PAYMENT_DETAILS"],
    ["init_loading", "PAYMENT_DETAILS"],
    ["init_failure", "PAYMENT_DETAILS"],
    ["sold_out", "PAYMENT_DETAILS"],
    ["initiated", "PAYMENT_CARD_INFO"],
    ["processing", "PAYMENT_INITIATED"],
    ["pending", "PAYMENT_INITIATED"],
    ["failed", "PAYMENT_DECLINE"],
    ["success", "PAYMENT_SUCCESS"],
  ];
  for (const [status, step] of steps) expect(stepOf(status)).toBe(step);
});

test("the rating is the step NPS, asked and answered", () => {
  const shown = (is_rated: boolean) => {
    const { container } = render(<RatingCard payment={payment("success", 5, { is_rated })} />);
    return container.querySelector("[data-step=NPS]");
  };
  expect(shown(false)?.tagName).toBe("FORM");
  expect(shown(true)?.tagName).toBe("P");
});
