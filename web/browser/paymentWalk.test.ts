import type { Page } from "playwright-core";
import { test } from "vitest";
import steps from "../src/contract/steps.payment.json";
import { desktop } from "./chromium.ts";
import { type Drive, type Edge, edgesOf, Gate, nameOf, settleOn, walkEdge } from "./graphWalk.ts";
import type { Marketplace, Paid } from "./marketplace.ts";
import { openSite } from "./site.ts";

/** One payment on one page, and what holds its requests back. */
interface Stage {
  page: Page;
  market: Marketplace;
  payment: Paid;
  intent: Gate;
  confirm: Gate;
  /** The event stream, and the reading that stands in for it. */
  stream: Gate;
  read: Gate;
  /** The page is to hear late: its stream is cut, and after the first reading the readings too. */
  hearsLate: boolean;
}

/** Rooms are held for ten minutes on the one, for seconds on the other. */
const patient = openSite();
const hasty = openSite({ LATCHKEY_HOLD_SECONDS: "8" });

const paths = {
  intent: /\/api\/v0\/payments\/[^/]+\/intent$/,
  confirm: /\/api\/v0\/payments\/[^/]+\/sandbox_confirm$/,
  stream: /\/api\/v0\/payments\/[^/]+\/stream$/,
  read: /\/api\/v0\/payments\/[a-z0-9]+(\?.*)?$/i,
};

const follows = (following: readonly Edge[], event: string) => following.some((edge) => edge.event === event);

/** The card that makes the following events true. */
function cardFor(following: readonly Edge[]): string {
  if (following[0]?.event === "delayed") {
    return follows(following.slice(1), "declined") ? "4000000000010050" : "4000000000010043";
  }
  return following[0]?.event === "declined" ? "4000000000009995" : "4242424242424242";
}

async function press(stage: Stage, card: string): Promise<void> {
  const list = stage.page.locator("details.test-cards");
  if ((await list.getAttribute("open")) === null) await list.locator("summary").click();
  await stage.page.locator(`[data-card="${card}"]`).click();
  await stage.page.locator(".pay-act button[type=submit]").click();
}

/** The payment goes through in another tab while this one hears nothing; then it hears of it. */
const paidElsewhere: Drive<Stage> = async ({ market: shop, payment, read }) => {
  const now = await shop.begin(payment.token);
  if (now.status === "initiated") await shop.pay(payment.token);
  read.pass();
};

/** The link was opened in a tab behind another (headless browsers hide no tab, so the tab is told), and paid meanwhile. */
const paidBehind: Drive<Stage> = async (stage, following) => {
  const { page, market, payment } = stage;
  await page.addInitScript(() => Object.defineProperty(document, "visibilityState", { get: () => "hidden" }));
  await page.goto(`/payments/${payment.token}`);
  await page.locator('[data-payment="init"]').waitFor();
  if ((await market.read(payment.token)).status !== "init") throw new Error("a page nobody looks at took a room");
  await paidElsewhere(stage, following);
};

/** On the server that holds rooms for seconds nothing is done: the hold ends, the room is gone, the page hears of it. */
const holdEnds: Drive<Stage> = async () => undefined;

const drives: Record<string, Drive<Stage>> = {
  "init.begin": async ({ page, payment, intent, stream, read, hearsLate }) => {
    intent.hold();
    if (hearsLate) stream.cutAll();
    await page.goto(`/payments/${payment.token}`);
    await page.locator('[data-payment="init_loading"]').waitFor();
    if (hearsLate) read.cutAll();
  },
  "init_loading.intent_ready": async ({ intent }) => intent.pass(),
  "init_loading.intent_failed": async ({ intent }) => intent.cut(),
  "init_loading.sold_out": async ({ intent }) => intent.pass(),
  "init_failure.retry": async ({ page, intent }) => {
    intent.hold();
    await page.locator(".flow-acts .btn-primary").click();
  },
  "initiated.confirm": async (stage, following) => {
    stage.confirm.hold();
    await press(stage, cardFor(following));
  },
  "processing.succeeded": async ({ confirm }) => confirm.pass(),
  "processing.declined": async ({ confirm }) => confirm.pass(),
  "processing.delayed": async ({ confirm }) => confirm.pass(),
  "pending.succeeded": async () => undefined,
  "pending.declined": async () => undefined,
  "failed.retry": async (stage) => {
    stage.intent.hold();
    await press(stage, "4242424242424242");
  },
  "initiated.sold_out": holdEnds,
  "processing.sold_out": holdEnds,
  "init.succeeded": paidBehind,
  succeeded: paidElsewhere,
};

/** Opens a stage for one edge: rooms enough, or none left because others hold them. */
async function stageFor({ from, event }: Edge): Promise<{ stage: Stage; close: () => Promise<void> }> {
  const full = from === "init_loading" && event === "sold_out";
  const site = event === "sold_out" && !full ? hasty : patient;
  const { market } = site;
  const stay = await market.stay((rooms) => (full ? rooms <= 3 && rooms > 0 : rooms > 3));
  const payment = await market.payment(stay);
  if (full) await market.fill(stay);
  const { page, context } = await site.visit(desktop, "en");
  const hearsLate = event === "succeeded" && !["init", "processing", "pending"].includes(from);
  const [intent, confirm, stream, read] = [new Gate(), new Gate(), new Gate(), new Gate()];
  await intent.install(page, "POST", paths.intent);
  await confirm.install(page, "POST", paths.confirm);
  await stream.install(page, "GET", paths.stream);
  await read.install(page, "GET", paths.read);
  const stage = { page, market, payment, intent, confirm, stream, read, hearsLate };
  return { stage, close: () => context.close() };
}

/** The shortest way to a success is no way to anything else. */
const endsTheStory = new Set(["init.succeeded"]);

for (const edge of edgesOf(steps)) {
  test.concurrent(`the page takes ${nameOf(edge)}`, async ({ expect }) => {
    const { stage, close } = await stageFor(edge);
    const walk = { table: steps, start: "init", drives, avoid: endsTheStory };
    const seen = await walkEdge(walk, edge, stage, (state) => settleOn(stage.page, "data-payment", state));
    expect(seen.at(-1), `on the way: ${seen.join(" → ")}`).toBe(edge.to);
    await close();
  });
}
