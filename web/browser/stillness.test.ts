import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import type { RouteName } from "../src/page.ts";
import { desktop, phone, type Screen, type Visitor } from "./chromium.ts";
import type { Stay } from "./marketplace.ts";
import { cards } from "./payer.ts";
import { openSite } from "./site.ts";
import { comesToWork, logInByCode } from "./staff.ts";
import { isWhole } from "./stagings.ts";
import { loadSlowly, slowDown } from "./stillness.ts";
import { until } from "./until.ts";

/** Nothing moves while a page comes: over a slow network, with nothing kept, at both widths. */

const site = openSite();

/** A page counts as good up to 0.1; ours hold a fifth of it. */
const MOST_MOVED = 0.02;

/** Leads, payments and conversations that the pages show. */
interface World {
  stay: Stay;
  /** A payment before its card, one that was declined, one that is paid, with its lead. */
  asked: string;
  declined: string;
  paid: string;
  lead: string;
  /** The paid lead as the workspace names it, and a conversation. */
  leadId: string;
  caseId: string;
  homeId: string;
  caseToken: string;
}

type Cookies = Awaited<ReturnType<Visitor["context"]["cookies"]>>;

const student = "stands.still@example.org";
let world: World;
/** Sessions that all browsers share: a further code is sent after half a minute. */
let cookies: Partial<Record<"student" | "staff", Cookies>> = {};

interface Place {
  path: (world: World) => string;
  /** Selects a part that is on screen once the page has come. */
  stands: string;
  by?: "student" | "staff";
  /** In the gate; the others are looked at by `make promises`. */
  inGate?: true;
}

const places: Record<RouteName, readonly Place[]> = {
  search: [
    { path: () => "/places/search/university-college-london", stands: ".pcard", inGate: true },
    { path: () => "/places/search/london", stands: ".pcard" },
    { path: () => "/places/search/united-kingdom", stands: ".pcard" },
  ],
  property: [{ path: ({ stay }) => `/places/${stay.home}`, stands: "main h1" }],
  // After a home was looked at: homes that were viewed come from the device.
  home: [{ path: () => "/", stands: "main h1" }],
  booking_form: [
    { path: ({ stay }) => `/places/${stay.home}/form`, stands: "main input[type=radio]", inGate: true },
    { path: ({ stay, lead }) => `/places/${stay.home}/form?lead_uuid=${lead}`, stands: "main h1" },
  ],
  application: [{ path: ({ stay }) => `/places/${stay.home}/application`, stands: "main h1" }],
  payment: [{ path: ({ stay }) => `/places/${stay.home}/payment`, stands: "main h1" }],
  payment_token: [
    { path: ({ asked }) => `/payments/${asked}`, stands: '[data-payment="initiated"]', inGate: true },
    { path: ({ paid }) => `/payments/${paid}`, stands: '[data-payment="success"]', inGate: true },
    { path: ({ declined }) => `/payments/${declined}`, stands: '[data-payment="failed"]' },
  ],
  payment_complete: [{ path: ({ paid }) => `/payments/complete?token=${paid}`, stands: '[data-payment="success"]' }],
  receipt: [{ path: ({ paid }) => `/payments/${paid}/receipt`, stands: ".receipt" }],
  verify: [{ path: () => "/verify", stands: "main h1" }],
  form_submitted: [{ path: ({ lead }) => `/forms/submit?lead_uuid=${lead}`, stands: ".ref" }],
  profile: [
    { path: () => "/profile", stands: ".kv", by: "student", inGate: true },
    { path: () => "/profile/support", stands: ".case-line", by: "student", inGate: true },
    { path: ({ caseId }) => `/profile/support/${caseId}`, stands: ".chat-one", by: "student" },
    { path: () => "/profile/leads", stands: ".bcard", by: "student" },
    { path: () => "/profile/leads?tab=enquired", stands: ".activity h2", by: "student" },
    { path: () => "/profile/shortlist", stands: ".activity h2", by: "student" },
  ],
  support_link: [{ path: ({ caseToken }) => `/support/${caseToken}`, stands: ".chat-one" }],
  content: [{ path: () => "/contact", stands: "main form" }],
  help: [{ path: () => "/help", stands: "main .faq" }],
  blog: [{ path: () => "/blog", stands: "main .posts" }],
  post: [{ path: () => "/blog/before-you-pay", stands: "main article" }],
  site_map: [{ path: () => "/sitemap", stands: "main .site-map" }],
  legal: [{ path: () => "/terms", stands: "main h1" }],
  not_found: [{ path: () => "/nothing/is/here", stands: "main h1" }],
  server_error: [],
  workspace: workspacePaths().map((path) => ({
    path: ({ leadId, caseId, homeId }) =>
      path
        .replace("$leadId", leadId)
        .replace("$caseId", caseId)
        .replace("$homeId", homeId)
        .replace("$page/$language", "about/en"),
    stands: "main h1",
    by: "staff",
  })),
};

/** The workspace's addresses, one each. */
function workspacePaths(): string[] {
  const file = resolve(import.meta.dirname, "../../api/pages/src/workspace_paths.txt");
  return readFileSync(file, "utf8").trim().split("\n");
}

beforeAll(async () => {
  const { market } = site;
  const many = () => market.stay((rooms) => rooms > 3);
  const [stay, own] = [await many(), await many()];
  const [{ token: asked }, { token: paid }] = [await market.payment(await many()), await market.payment(await many())];
  await pay(paid, cards.pays, "success");
  const { uuid: lead } = await market.lead(stay);
  await market.call("POST", "/api/v0/booking_forms", {
    booking_form: { lead_uuid: lead, inventory_id: stay.inventory_id },
  });
  const { uuid: booked } = await market.lead(own, undefined, student);
  if (isWhole) await book(own, booked);
  const declined = isWhole ? await decline(await many()) : "";
  const one = await site.visit(desktop, "en");
  await logInByCode(site, one.context, student);
  const sent = await one.context.request.post("/api/v0/support/cases", {
    data: { topic: "booking", subject: "A late arrival", words: "I arrive on a Sunday." },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  const caseId: string = (await sent.json()).data.case_id;
  cookies = { student: await one.context.cookies(), ...(isWhole ? { staff: await staffCookies() } : {}) };
  const seen = isWhole ? await seenByStaff(caseId) : { leadId: "", caseToken: "", homeId: "" };
  world = { stay, asked, paid, lead, caseId, declined, ...seen };
  await one.context.close();
});

async function staffCookies(): Promise<Cookies> {
  const { context } = await site.visit(desktop, "en");
  await comesToWork(site, context, { name: "stills", roles: ["support", "finance", "admin"] });
  const theirs = await context.cookies();
  await context.close();
  return theirs;
}

async function decline(stay: Stay): Promise<string> {
  const { token } = await site.market.payment(stay);
  await pay(token, cards.declined, "failed");
  return token;
}

async function book(stay: Stay, lead_uuid: string): Promise<void> {
  const payment = { lead_uuid, inventory_id: stay.inventory_id, payment_types: [] };
  const { token } = await site.market.call<{ token: string }>("POST", "/api/v0/payments", { payment });
  await pay(token, cards.pays, "success");
}

async function pay(token: string, card: string, status: string): Promise<void> {
  await site.market.begin(token);
  const isAt = async (wanted: string) => (await site.market.read(token)).status === wanted;
  await until("the card form is there", () => isAt("initiated"));
  await site.market.pay(token, card);
  await until(`the payment is at ${status}`, () => isAt(status));
}

/** Support answers the conversation, whose mail has a link to it, and knows the lead by an id of its own. */
async function seenByStaff(caseId: string): Promise<{ leadId: string; caseToken: string; homeId: string }> {
  const { context } = await site.visit(desktop, "en");
  await context.addCookies(cookies.staff ?? []);
  await context.request.post(`/api/v0/workspace/cases/${caseId}/messages`, {
    data: { words: "The desk is open on Sundays.", channel: "email" },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  let caseToken = "";
  await until("the answer is mailed", async () => {
    const mails = await site.market.call<{ body: string }[]>("GET", `/dev/outbox?to=${encodeURIComponent(student)}`);
    caseToken = mails.map(({ body }) => /\/support\/([\w-]+)/.exec(body)?.[1] ?? "").find((one) => one !== "") ?? "";
    return caseToken !== "";
  });
  const found = await context.request.get(`/api/v0/workspace/leads?q=${encodeURIComponent(student)}`);
  const leadId: string = (await found.json()).data.result[0].lead_id;
  const homes = await context.request.get("/api/v0/workspace/homes?limit=1");
  const homeId: string = (await homes.json()).data.homes[0].home_id;
  await context.close();
  return { leadId, caseToken, homeId };
}

/** Opens a browser for a reader of the page. */
async function visitAs(by: Place["by"], screen: Screen): Promise<Visitor> {
  const one = await site.visit(screen, "en");
  if (by !== undefined) await one.context.addCookies(cookies[by] ?? []);
  return one;
}

const shown = Object.values(places)
  .flat()
  .filter(({ inGate }) => isWhole || inGate === true);

/** Measured, for the report of a whole run. */
const measured: { page: string; width: number; moved: number }[] = [];

// One visitor a width and reader, page after page.
for (const screen of [phone, desktop])
  for (const by of [undefined, "student", "staff"] as const) {
    const theirs = shown.filter((place) => place.by === by);
    if (theirs.length === 0) continue;
    test.concurrent(`pages stand still for ${by ?? "visitors"} at ${screen.width} px`, async ({ expect }) => {
      const one = await visitAs(by, screen);
      await slowDown(one);
      const moved: Record<string, string[]> = {};
      for (const { path, stands } of theirs) {
        const address = path(world);
        const { total, what } = await loadSlowly(one, address, stands);
        measured.push({ page: address, width: screen.width, moved: Number(total.toFixed(4)) });
        if (total > MOST_MOVED) moved[address] = what;
      }
      await one.context.close();
      expect(moved).toEqual({});
    });
  }

afterAll(() => {
  if (isWhole) console.table(measured);
});
