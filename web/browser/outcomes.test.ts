import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { open } from "./chromium.ts";
import { cards, comeToPay, payWith, standsAt } from "./payer.ts";
import { openSite } from "./site.ts";
import { desktopEn, phoneEn } from "./stagings.ts";

/** After Pay, after a decline and after Continue the headline of what came is in the window and has the focus. */

const site = openSite();

/** The words that have the focus, where they are a headline within the window. */
const headline = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    const { top, bottom } = at?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
    return at?.matches("h1, h2") && top >= 0 && bottom <= window.innerHeight ? at.textContent : null;
  });

// Where each page is laid out by width, and where the end of the form is below the window.
for (const { screen } of [desktopEn, phoneEn]) {
  test(`declined, then paid, at ${screen.width} px`, () =>
    site.play(screen, "en", async ({ page, say, ...scene }) => {
      await comeToPay({ page, say, ...scene }, site.market);
      await payWith(page, cards.declined);
      await standsAt(page, "failed");
      await expect.poll(() => headline(page)).toBe(say("payment.title_failed"));
      await payWith(page, cards.pays);
      await standsAt(page, "success");
      await expect.poll(() => headline(page)).toBe(say("payment.success_title"));
    }));

  test(`the next section of the form, at ${screen.width} px`, () =>
    site.play(screen, "en", async ({ page, say }) => {
      const stay = await site.market.stay();
      const { uuid } = await site.market.lead(stay);
      const booking_form = { lead_uuid: uuid, inventory_id: stay.inventory_id };
      const { form_uuid } = await site.market.call<{ form_uuid: string }>("POST", "/api/v0/booking_forms", {
        booking_form,
      });
      const fields = Object.fromEntries(Object.entries(personal).map(([name, value]) => [name, { value }]));
      const path = `/api/v0/booking_forms/${form_uuid}/sections/personal_form`;
      await site.market.call("PATCH", path, { fields, complete: false });
      await open(page, `/places/${stay.home}/form?lead_uuid=${uuid}`);
      await page.locator(".substep.now").waitFor();
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await page.locator(".flow-foot button[type=submit]").click();
      await expect.poll(() => headline(page)).toBe(say("booking.group_emergency"));
      await page.goBack();
      await expect.poll(() => headline(page)).toBe(say("booking.group_about"));
    }));
}

const personal = {
  full_name: "Maya Ramos",
  dob: "2004-05-06",
  phone: "+34612345678",
  email: "maya@example.org",
  nationality: "ES",
  address_line_1: "1 Park Lane",
  city: "Leeds",
  postcode: "LS1 1AA",
  country: "GB",
  university: "UCL",
  enrolment_status: "enrolled",
};
