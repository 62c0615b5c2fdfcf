import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, open, type Screen, shot } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { bothStagings } from "./stagings.ts";
import { type Lang, wordsOf } from "./words.ts";

/** Staff try acts on a branch of a lead's history, see what they would come to, and apply them. */

const site = openSite();

/** Where the log holds the event by which a lead's payment was charged. */
const chargeOf = async ({ request }: BrowserContext, leadId: string) => {
  const history = await (await request.get(`/api/v0/workspace/leads/${leadId}/timeline`)).json();
  const events: readonly { type: string; position: number }[] = history.data.events;
  return events.find(({ type }) => type === "PaymentSucceeded")?.position;
};

/** A refund is tried under each condition, and then under none again. */
const triesConditions = async (
  page: Page,
  say: ReturnType<typeof wordsOf>["say"],
  charge: number | undefined,
  staging: string,
) => {
  const dialog = page.getByRole("dialog");
  const typed = async (field: "limit" | "leave_out", value: string) => {
    await dialog.getByLabel(say(`what_if.${field}`)).fill(value);
    await dialog.getByLabel(say(`what_if.${field}`)).blur();
  };
  await dialog.getByText(say("what_if.conditions")).click();
  await typed("limit", "1");
  await dialog.getByText(say("what_if.waits_for_approval")).waitFor();
  await dialog.getByText(say("what_if.conditional")).waitFor();
  expect(await axe(page)).toEqual([]);
  await shot(page, `what-if-condition-${staging}`);
  await typed("limit", "");
  await dialog.getByLabel(say("what_if.provider_refuses")).check();
  await dialog.getByText(say("what_if.message_refund_came_back")).waitFor();
  await dialog.getByText(say("what_if.to_provider_refused")).waitFor();
  await shot(page, `what-if-refused-${staging}`);
  await dialog.getByLabel(say("what_if.provider_refuses")).uncheck();
  await dialog.getByText(say("what_if.message_booking_cancelled")).waitFor();
  await typed("leave_out", String(charge));
  await dialog.locator(".what-if-steps [role=alert]").waitFor();
  expect(await axe(page)).toEqual([]);
  await shot(page, `what-if-left-out-${staging}`);
  await typed("leave_out", "");
};

const triesARefund = async (screen: Screen, lang: Lang) => {
  const { token } = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
  await site.market.begin(token);
  expect((await site.market.pay(token)).status).toBe("success");
  const name = `forks-${screen.width}`;
  const { page, context, complaints } = await staffOf(site, { name, roles: ["admin"], screen, lang });
  const { say } = wordsOf(lang);
  const { reference } = await site.market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`);
  const captured = async () => {
    const listed = await context.request.get(`/api/v0/workspace/payments/events?kind=captured&q=${reference}`);
    return (await listed.json()).data.result[0];
  };
  await expect.poll(captured).toBeTruthy();
  const { lead_id, payment_id } = await captured();
  const refunds = async () => {
    const dossier = await context.request.get(`/api/v0/workspace/payments/${payment_id}`);
    return (await dossier.json()).data.refunded_minor as number;
  };
  await open(page, `/workspace/leads/${lead_id}`);
  await page.locator(".replay.is-now").waitFor();
  const opens = page.getByRole("button", { name: say("what_if.open") });
  await opens.waitFor();
  await shot(page, `what-if-before-${screen.width}-${lang}`);
  await page.keyboard.press("f");
  const dialog = page.getByRole("dialog");
  await dialog.getByText(say("what_if.empty")).waitFor();
  await dialog.getByLabel(say("what_if.booking"), { exact: true }).selectOption("cancel");
  await dialog.getByRole("button", { name: say("what_if.try"), exact: true }).click();
  await dialog.getByRole("heading", { name: say("what_if.postings") }).waitFor();
  await dialog.getByText(say("what_if.message_booking_cancelled")).waitFor();
  await dialog.locator(".post tbody tr").first().waitFor();
  expect(await axe(page)).toEqual([]);
  await shot(page, `what-if-${screen.width}-${lang}`);
  expect(await refunds()).toBe(0);
  await triesConditions(page, say, await chargeOf(context, lead_id), `${screen.width}-${lang}`);
  const apply = dialog.getByRole("button", { name: say("what_if.apply"), exact: true });
  await expect.poll(() => apply.isDisabled()).toBe(true);
  await dialog.getByLabel(say("what_if.why")).fill("Visa refused");
  await apply.click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(refunds).toBeGreaterThan(0);

  await open(page, `/workspace/leads/${lead_id}?v=1`);
  await page.locator(".replay.is-past").waitFor();
  await opens.click();
  await dialog.getByText(say("what_if.from_event", { n: 1 })).waitFor();
  await dialog.locator("select").first().selectOption("close");
  await dialog.getByRole("button", { name: say("what_if.try"), exact: true }).click();
  await dialog.getByText(say("what_if.past")).waitFor();
  await expect.poll(() => apply.count()).toBe(0);
  await shot(page, `what-if-past-${screen.width}-${lang}`);
  expect(complaints).toEqual([]);
  await context.close();
};

for (const { screen, lang } of bothStagings) {
  test(`staff try a refund and apply it, at ${screen.width} in ${lang}`, () => triesARefund(screen, lang));
}
