import { expect, test } from "vitest";
import { axe, open, phone, type Screen, shot } from "./chromium.ts";
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
