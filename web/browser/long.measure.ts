import type { APIRequestContext, Page } from "playwright-core";
import { beforeAll, test } from "vitest";
import { desktop, open, type Visitor } from "./chromium.ts";
import { type Frames, framesOf } from "./frames.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { until } from "./until.ts";

/**
 * `npm run frames`: how evenly the workspace is drawn over long histories. Nothing passes or fails here; the figures are
 * printed. `LEAD_EVENTS` and `FINANCE_EVENTS` say how long; everything is made by the requests a browser would send.
 */

const leadEvents = Number(process.env["LEAD_EVENTS"] ?? 1000);
const financeEvents = Number(process.env["FINANCE_EVENTS"] ?? 2000);
const declined = "4000000000009995";

const site = openSite({ LATCHKEY_HOLD_SECONDS: "86400" });
let desk: Visitor;
let lead = "";
let payment = "";
const measured: Frames[] = [];

/** One declined card after another: several payment events each. */
async function decline(token: string, times: number): Promise<void> {
  const reaches = (status: string) =>
    until(`the payment is ${status}`, async () => (await site.market.read(token)).status === status);
  for (let tries = 0; tries < times; tries++) {
    await site.market.begin(token);
    await reaches("initiated");
    await site.market.pay(token, declined);
    await reaches("failed");
  }
}

async function auditCount(api: APIRequestContext): Promise<number> {
  return (await (await api.get("/api/v0/workspace/payments/events?limit=1")).json()).data.meta.count;
}

async function timelineLength(api: APIRequestContext): Promise<number> {
  return (await (await api.get(`/api/v0/workspace/leads/${lead}/timeline`)).json()).data.events.length;
}

beforeAll(async () => {
  desk = await staffOf(site, { name: "frames", roles: ["support", "finance"], screen: desktop, lang: "en" });
  const api = desk.context.request;
  const { token } = await site.market.payment(await site.market.stay());
  await decline(token, 20);
  const leads = await (await api.get("/api/v0/workspace/leads?limit=1")).json();
  lead = leads.data.result[0].lead_id;
  const missing = leadEvents - (await timelineLength(api));
  for (let notes = 0; notes < missing; notes++) {
    const path = `/api/v0/workspace/leads/${lead}/notes`;
    await api.post(path, { data: { note: `Call ${notes}` }, headers: { "idempotency-key": crypto.randomUUID() } });
  }
  const audit = await (await api.get("/api/v0/workspace/payments/events?limit=1")).json();
  payment = audit.data.result[0].payment_id;
  const tokens = [token];
  for (let others = 0; others < 15; others++) tokens.push((await site.market.payment(await site.market.stay())).token);
  while ((await auditCount(api)) < financeEvents) await Promise.all(tokens.map((one) => decline(one, 10)));
  console.log(`${await timelineLength(api)} events of one lead, ${await auditCount(api)} payment events`);
}, 3_600_000);

async function measure(page: Page, what: string, act: () => Promise<void>): Promise<void> {
  measured.push(await framesOf(page, what, act));
}

/** Moves the pressed pointer over an element from one end to the other and back, one step a frame. */
async function drag(page: Page, selector: string, steps: number): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not there`);
  const at = (step: number) => box.x + 2 + (box.width - 4) * (1 - Math.abs((2 * step) / steps - 1));
  await page.mouse.move(at(0), box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 0; step <= steps; step++) {
    await page.mouse.move(at(step), box.y + box.height / 2);
    await nextFrame(page);
  }
  await page.mouse.up();
}

const nextFrame = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));

/** Lets the page draw for so many milliseconds. */
async function framesFor(page: Page, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) await nextFrame(page);
}

async function wheel(page: Page, selector: string, turns: number): Promise<void> {
  await page.locator(selector).first().hover();
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, turn < turns / 2 ? 120 : -120);
    await nextFrame(page);
  }
}

test("a long history is scrubbed, stepped, played and scrolled", async () => {
  const { page } = desk;
  const began = Date.now();
  await open(page, `/workspace/leads/${lead}`);
  await page.locator(".ev").first().waitFor();
  console.log(`replay opened in ${Date.now() - began} ms`);
  await measure(page, "replay: play head dragged there and back", () => drag(page, ".marks", 240));
  await measure(page, "replay: 120 steps back by key", async () => {
    for (let steps = 0; steps < 120; steps++) {
      await page.keyboard.press("ArrowLeft");
      await nextFrame(page);
    }
  });
  await page.getByRole("combobox", { name: "Speed" }).selectOption("64");
  await page.keyboard.press("Home");
  await measure(page, "replay: played at 64 a second for 4 s", async () => {
    await page.getByRole("button", { name: "Play" }).click();
    await framesFor(page, 4000);
  });
  await page.keyboard.press("Escape");
  await measure(page, "replay: timeline scrolled by wheel", () => wheel(page, ".evs", 240));
});

test("many payment events are listed, paged and opened", async () => {
  const { page } = desk;
  let began = Date.now();
  await open(page, "/workspace/finance");
  await page.locator(".fin-t tbody tr button").first().waitFor();
  console.log(`finance opened in ${Date.now() - began} ms`);
  await measure(page, "finance: list scrolled by wheel", () => wheel(page, ".fin-t", 240));
  began = Date.now();
  await open(page, "/workspace/finance?p=10");
  await page.locator(".fin-t tbody tr button").first().waitFor();
  console.log(`finance, page 10, opened in ${Date.now() - began} ms`);
  began = Date.now();
  await open(page, `/workspace/finance?payment=${payment}`);
  await page.locator(".pair li").nth(1).waitFor();
  console.log(`dossier of ${await page.locator(".pair li").count()} lines opened in ${Date.now() - began} ms`);
  await measure(page, "finance: dossier scrolled by wheel", () => wheel(page, ".pair", 240));
});

test("the figures", () => {
  console.table(measured);
});
