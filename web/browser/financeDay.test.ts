import { expect, test } from "vitest";
import { disputes } from "./cardTable.ts";
import { open, type Screen } from "./chromium.ts";
import {
  approvesAsSecond,
  type Case,
  comparesAFile,
  findsTheCharge,
  looksAround,
  looksAtYesterday,
  mendsADifference,
  paysInAnotherWay,
  readsTheBooks,
  refundsPart,
  savesTheFiles,
  savesTheMonthsEnd,
  sendsEvidence,
  verifiesTheChain,
} from "./financeDesk.ts";
import { enter } from "./scene.ts";
import { openSite, type Site } from "./site.ts";
import { comesToWork } from "./staff.ts";
import { chooseStagings, desktopEn } from "./stagings.ts";
import { until } from "./until.ts";
import type { Lang } from "./words.ts";

/** A finance officer's day, by the keyboard alone: from the first search to the end of the month. */

const settings = {
  LATCHKEY_REFUND_LIMIT: "100",
  LATCHKEY_PROVIDER_FEE_PERMILLE: "15",
  LATCHKEY_PROVIDER_FEE_FIXED: "20",
};

/** A deposit is paid with this card; gives the payment's reference. */
async function paid({ market }: Site, card?: string): Promise<string> {
  const { token } = await market.payment(await market.stay((rooms) => rooms > 3));
  await market.begin(token);
  await market.pay(token, card);
  await until("the deposit is paid", async () => (await market.read(token)).status === "success");
  return (await market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`)).reference;
}

const worksADay = (site: Site, screen: Screen, lang: Lang) => async () => {
  const reference = await paid(site);
  const [disputed, returned] = [await paid(site, disputes), await paid(site)];
  const { market } = site;
  await site.play(screen, lang, async (scene) => {
    const { request } = scene.page.context();
    const me = { name: `fay-${screen.width}`, roles: ["finance"] };
    await comesToWork(site, scene.page.context(), me);
    let charge = "";
    await until("the charge is listed", async () => {
      const listed = await request.get(`/api/v0/workspace/payments/events?kind=captured&q=${reference}`);
      charge = (await listed.json()).data.result[0]?.gateway_id ?? "";
      return charge !== "";
    });
    const found: Case = { reference, charge, disputed, returned };
    const plan = (faults: object) => market.call("POST", "/dev/sandbox/plan", faults);
    await open(scene.page, "/workspace/finance");
    await findsTheCharge(scene, found);
    await refundsPart(scene, found);
    const stage = site.stage(screen, lang);
    const second = await enter({ ...stage, isInspected: false });
    await comesToWork(site, second.page.context(), { name: `ada-${screen.width}`, roles: ["admin"] });
    await open(second.page, "/workspace/approvals");
    await approvesAsSecond(second);
    await until("both refunds have arrived", async () => {
      const listed = await request.get(`/api/v0/workspace/payments/events?kind=refund_acknowledged&q=${reference}`);
      return (await listed.json()).data.meta.count === 2;
    });
    await plan({ refunds_fail: true });
    await paysInAnotherWay(scene, found);
    await plan({ fee_extra_of: charge, fee_extra_minor: 100 });
    await sendsEvidence(scene, found);
    await mendsADifference(scene);
    await approvesAsSecond(second);
    expect(stage.found).toEqual([]);
    await second.leave();
    await comparesAFile(scene, found);
    await readsTheBooks(scene);
    await savesTheFiles(scene);
    await looksAtYesterday(scene);
    await verifiesTheChain(scene);
    await looksAround(scene);
    await savesTheMonthsEnd(scene, site.url, () => comesToWork(site, scene.page.context(), me));
  });
};

// Each telling has a clock and a provider of its own.
for (const { device, screen, lang } of chooseStagings([desktopEn]))
  test(`finance works a day by keys, ${device}, ${lang}`, worksADay(openSite(settings), screen, lang));
