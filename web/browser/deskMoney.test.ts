import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { disputes } from "./cardTable.ts";
import { axe, open, phone, type Screen, shot } from "./chromium.ts";
import { comeToPay, payWith, standsAt } from "./payer.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { bothStagings, chooseStagings, phoneZh } from "./stagings.ts";
import { type Lang, wordsOf } from "./words.ts";

/** Finance and support before money that needs a decision: a refund that came back, links beside a refund, and who waits for a room. */

const site = openSite();

const findsMoneyToDecide = async (screen: Screen, lang: Lang) => {
  const { token } = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
  await site.market.begin(token);
  expect((await site.market.pay(token)).status).toBe("success");
  const name = `decides-${screen.width}`;
  const { page, context, complaints } = await staffOf(site, { name, roles: ["finance"], screen, lang });
  const { say } = wordsOf(lang);
  await open(page, "/workspace/finance");
  const send = (path: string, body: unknown) =>
    page.evaluate(
      async ([to, sent]) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(String(to), { method: "POST", headers, body: JSON.stringify(sent) });
        return { status: answer.status, body: await answer.json() };
      },
      [path, body] as const,
    );
  const { reference } = await site.market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`);
  const captured = async () => {
    const listed = await context.request.get(`/api/v0/workspace/payments/events?kind=captured&q=${reference}`);
    return (await listed.json()).data.result[0];
  };
  await expect.poll(captured).toBeTruthy();
  const { payment_id, lead_id } = await captured();
  const rent = { lead_id, type: "rent", amount_minor: 115_600, reason: "Monthly rent" };
  expect((await send("/api/v0/workspace/payment_links", rent)).status).toBe(201);
  await send("/dev/sandbox/plan", { refunds_fail: true });
  const asked = { booking: "keep", amount_minor: 1_000, reason: "plans changed" };
  expect((await send(`/api/v0/workspace/payments/${payment_id}/refunds`, asked)).status).toBe(201);
  const failed = async () =>
    (await (await context.request.get("/api/v0/workspace/payments/failed_refunds")).json()).data.length;
  await expect.poll(failed).toBeGreaterThan(0);
  await send("/dev/sandbox/plan", { refunds_fail: false });

  await open(page, "/workspace/finance");
  await page.getByRole("heading", { name: say("returned.title") }).waitFor();
  await shot(page, `finance-returned-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  await page
    .getByRole("button", { name: say("returned.elsewhere") })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("textbox").fill("Bank transfer of 2 December");
  await shot(page, `finance-elsewhere-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: say("returned.note"), exact: true }).click();
  await page.getByRole("heading", { name: say("returned.title") }).waitFor({ state: "detached" });

  await open(page, `/workspace/finance?payment=${payment_id}`);
  await page.getByRole("heading", { name: say("returned.links") }).waitFor();
  await page.getByRole("button", { name: say("links.open") }).waitFor();
  await shot(page, `finance-links-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  await open(page, `/workspace/finance?payment=${payment_id}&refund=1`);
  await page.getByText(say("returned.links_open")).waitFor();
  await shot(page, `refund-links-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
};

const seesWhoWaits = async (screen: Screen, lang: Lang) => {
  const stay = await site.market.stay((rooms) => rooms >= 1 && rooms <= 3);
  await site.market.fill(stay);
  for (const _ of [1, 2]) {
    const { token } = await site.market.payment(stay);
    await site.market.begin(token);
    await site.market.call("POST", `/api/v0/payments/${token}/waitlist`, {});
  }
  const name = `waits-${screen.width}`;
  const { page, context, complaints } = await staffOf(site, { name, roles: ["support"], screen, lang });
  const { say } = wordsOf(lang);
  await open(page, "/workspace/waitlists");
  await page.getByText(say("waitlists.choose")).waitFor();
  const room = page.locator(`#room-${stay.inventory_id}`);
  await shot(page, `waitlists-rooms-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  await room.click();
  await page.getByText(say("waitlists.number", { n: 2 }), { exact: true }).waitFor();
  const places = page.locator(".wait-places h2");
  await expect.poll(() => places.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(async () => (await places.boundingBox())?.y).toBeLessThan(screen.height / 2);
  const back = page.getByRole("link", { name: say("waitlists.all_rooms") });
  if (screen === phone) {
    await back.click();
    await page.locator(".wait-rooms").waitFor();
    await expect.poll(() => room.evaluate((one) => one === document.activeElement)).toBe(true);
    await room.click();
    await places.waitFor();
  } else await expect.poll(() => back.isVisible()).toBe(false);
  await shot(page, `waitlists-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  await page
    .getByRole("button", { name: say("waitlists.move") })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("textbox").fill("No other room is accessible");
  await shot(page, `waitlists-move-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: say("waitlists.move_now"), exact: true }).click();
  await page.getByText(say("waitlists.override"), { exact: true }).waitFor();
  await shot(page, `waitlists-moved-${screen.width}-${lang}`);
  expect(complaints).toEqual([]);
  await context.close();
};

for (const { screen, lang } of chooseStagings([phoneZh]))
  test(`finance decides about money, ${screen.width} px, ${lang}`, () => findsMoneyToDecide(screen, lang));
for (const { screen, lang } of bothStagings)
  test(`support sees who waits, ${screen.width} px, ${lang}`, () => seesWhoWaits(screen, lang));

// A bank disputes a deposit: finance reads what was laid, and sends it on once.

const sendsEvidence = (screen: Screen, lang: Lang) => async () => {
  const { say, like } = wordsOf(lang);
  let reference = "";
  await site.play(screen, lang, async (scene) => {
    const token = await comeToPay(scene, site.market);
    await payWith(scene.page, disputes);
    await standsAt(scene.page, "success");
    reference = (await site.market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`)).reference;
  });
  const { page, context, complaints } = await staffOf(site, {
    name: `dora-${screen.width}`,
    roles: ["finance"],
    screen,
    lang,
  });
  await open(page, `/workspace/finance?q=${reference}`);
  await page
    .getByRole("button", { name: new RegExp(`^${say("finance.kind_dispute_opened")}`) })
    .first()
    .click();
  const evidence = page.locator("[data-dispute]");
  await evidence.getByText(like("evidence.laid")).waitFor();
  await evidence.getByText(like("evidence.due")).waitFor();
  // The bank has not decided: nothing says paid, nothing says that money went back, and no act does.
  await evidence.getByText(say("evidence.open_text")).waitFor();
  expect(await page.locator(".w-drawer header .chip").allInnerTexts()).toEqual([say("finance.dispute_open")]);
  expect(await page.getByRole("button", { name: say("finance.cancel_booking"), exact: true }).count()).toBe(0);
  await shot(page, `workspace-dispute-${screen.width}-${lang}`);
  expect(await axe(page)).toEqual([]);
  await evidence.getByRole("button", { name: say("evidence.send") }).click();
  await evidence
    .getByText(like("evidence.sent_by"))
    .filter({ hasText: say("evidence.by_you") })
    .waitFor();
  await expect.poll(() => evidence.getByRole("button").count()).toBe(0);
  await shot(page, `workspace-dispute-sent-${screen.width}-${lang}`);
  expect(complaints).toEqual([]);
  await context.close();
};

for (const { device, screen, lang } of chooseStagings([phoneZh]))
  test(`finance sends evidence to the bank once, ${device}, ${lang}`, sendsEvidence(screen, lang));

// Staff try acts on a branch of a lead's history, see what they would come to, and apply them.

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
  await dialog.getByLabel(say("acts.cause"), { exact: true }).selectOption("other");
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
