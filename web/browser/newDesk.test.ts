import { expect, test } from "vitest";
import { open, type Screen } from "./chromium.ts";
import { wishFor } from "./marketplace.ts";
import {
  changesASetting,
  correctsTheContact,
  decides,
  findsByEmail,
  notesAndGivesToATeam,
  opensTheMirror,
  paysTheReward,
  readsRewards,
  resetsADevice,
  type Staff,
  setsAnAlarm,
} from "./newDesk.ts";
import { enter, type Scene } from "./scene.ts";
import { openSite, type Site } from "./site.ts";
import { comesToWork } from "./staff.ts";
import { chooseStagings, desktopEn, phoneEn, phoneZh } from "./stagings.ts";
import { until } from "./until.ts";
import type { Lang } from "./words.ts";

/** The desk's newer pages, by the keyboard alone: corrections, teams, rewards, decisions, recorded searches, devices, settings. */

const staff: Staff = { support: "sue", boss: "bea", finance: "fay" };

const settings = {
  LATCHKEY_REFUND_LIMIT: "1",
  LATCHKEY_REFERRAL_REWARD: "50",
  LATCHKEY_TEAMS: "payments=else@staff.example,moving in=bea@staff.example",
};

interface Telling {
  site: Site;
  screen: Screen;
  lang: Lang;
}

/** Each telling moves its own clock. */
const tellings: readonly Telling[] = chooseStagings([desktopEn], [desktopEn, phoneEn, phoneZh]).map((staging) => ({
  ...staging,
  site: openSite(settings),
}));

/** The parts of the desk that one member of staff works at, with what jars there. */
async function comes({ site, screen, lang }: Telling, name: string, role: string): Promise<[Scene, () => void]> {
  const stage = site.stage(screen, lang);
  const scene = await enter(stage);
  await comesToWork(site, scene.page.context(), { name, roles: [role] });
  await open(scene.page, "/workspace");
  await scene.page.locator("main#work h1").waitFor();
  return [scene, () => expect(stage.found).toEqual([])];
}

/** A friend books with the code, and pays; gives the lead, and the payment as finance knows it. */
async function books({ market }: Site, email: string, code: string | null): Promise<{ lead: string; token: string }> {
  const stay = await market.stay((rooms) => rooms > 3);
  const lead = await market.call<{ id: string; uuid: string }>("POST", "/api/v0/leads/", {
    lead: {
      state: "created",
      inventory_id: stay.inventory_id,
      user_details: { name: "Mei Lin", email, phone: "+447700900123" },
      data: wishFor(stay),
      ...(code === null ? {} : { referral_details: { name: "A friend", code } }),
    },
  });
  const { token } = await market.call<{ token: string }>("POST", "/api/v0/payments", {
    payment: { lead_uuid: lead.uuid, inventory_id: stay.inventory_id, payment_types: [] },
  });
  await market.begin(token);
  await market.pay(token);
  await until("the deposit is paid", async () => (await market.read(token)).status === "success");
  return { lead: lead.id, token };
}

/** The payment of a lead, as finance's pages name it. */
async function paymentOf({ page }: Scene, token: string, { market }: Site): Promise<string> {
  const { reference } = await market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`);
  let payment = "";
  await until("the payment is listed", async () => {
    const listed = await page.context().request.get(`/api/v0/workspace/payments/events?kind=captured&q=${reference}`);
    payment = (await listed.json()).data.result[0]?.payment_id ?? "";
    return payment !== "";
  });
  return payment;
}

for (const telling of tellings) {
  const { site, screen, lang } = telling;

  test(`support corrects, mentions and watches, ${screen.width} px, ${lang}`, async () => {
    const { lead } = await books(site, "mei@example.com", null);
    const [support, noneAtSupport] = await comes(telling, staff.support, "support");
    const [boss, noneAtBoss] = await comes(telling, staff.boss, "admin");
    await correctsTheContact(support, lead);
    await opensTheMirror(support, lead);
    await notesAndGivesToATeam(support, boss, lead, staff);
    await setsAnAlarm(support);
    await resetsADevice(boss, support, `${staff.support}@staff.example`, staff);
    await changesASetting(boss, site);
    noneAtSupport();
    noneAtBoss();
    await Promise.all([support.leave(), boss.leave()]);
  });

  test(`finance decides, rewards and searches, ${screen.width} px, ${lang}`, async () => {
    const [finance, noneAtFinance] = await comes(telling, staff.finance, "finance");
    const [boss, noneAtBoss] = await comes(telling, staff.boss, "admin");
    const { request } = finance.page.context();
    const { referral_code } = (await (await request.get("/api/v0/users/details")).json()).data;
    await books(site, "ana@example.com", referral_code);
    const friend = await books(site, "ben@example.com", referral_code);
    await readsRewards(finance);
    const other = await books(site, "cleo@example.com", null);
    const asks = { act: "ask_refund", amount_minor: 2_000, reason: "The lift was out of order" };
    const asked = await boss.page.context().request.post(`/api/v0/workspace/leads/${other.lead}/acts`, { data: asks });
    expect(asked.status()).toBe(200);
    await decides(finance, boss, await paymentOf(finance, friend.token, site));
    await findsByEmail(finance, boss, "cleo@example.com");
    await paysTheReward(finance, async () => {
      // The clock goes forward by a year at most at once.
      for (let times = 0; times < 2; times++)
        await site.market.call("POST", "/dev/clock", { forward_seconds: 200 * 86_400 });
      await comesToWork(site, finance.page.context(), { name: staff.finance, roles: ["finance"] });
    });
    noneAtFinance();
    noneAtBoss();
    await Promise.all([finance.leave(), boss.leave()]);
  });
}
