import { expect, test } from "vitest";
import { bookARoom } from "./booking.ts";
import { open, type Screen } from "./chromium.ts";
import { openSite } from "./site.ts";
import { comesToWork, staffOf } from "./staff.ts";
import { chooseStagings, desktopEn } from "./stagings.ts";
import {
  answersWithATemplate,
  changesTheStay,
  closesAndOpens,
  closesSeveral,
  extendsTheHold,
  findsTheLead,
  looksAround,
  looksBack,
  type Morning,
  marksADouble,
  mentionsAColleague,
  paysAttentionToMoney,
  replaysTheLead,
  reportsAndSegments,
  revealsWho,
  savesAView,
  takesTheLead,
} from "./supportDesk.ts";
import type { Lang } from "./words.ts";

/** A support agent's day, by the keyboard alone: about twenty tasks from the first search to the report. */

const site = openSite();

/** What came in over night: one booking, a wish, a held room, a double enquiry and two that lead nowhere. */
async function overNight(at: string): Promise<Morning> {
  const booked = await bookARoom(site.url, `mei.${at}@example.com`);
  const { market } = site;
  const references = async (count: number, email?: string) => {
    const found: string[] = [];
    for (let n = 0; n < count; n++) {
      const stay = await market.stay((rooms) => rooms > 3);
      found.push((await market.lead(stay, undefined, email)).reference);
    }
    return found;
  };
  const [wish = ""] = await references(1);
  const stay = await market.stay((rooms) => rooms > 3);
  const lead = await market.lead(stay);
  const held = await market.call<{ token: string }>("POST", "/api/v0/payments", {
    payment: { lead_uuid: lead.uuid, inventory_id: stay.inventory_id, payment_types: [] },
  });
  await market.begin(held.token);
  const [kept = "", double = ""] = await references(2, `twice.${at}@example.org`);
  const idle = await references(2);
  return { at, booked: booked.reference, wish, held: lead.reference, kept, double, idle };
}

const worksADay = (screen: Screen, lang: Lang) => async () => {
  const at = `${screen.width}`;
  const morning = await overNight(at);
  const pat = await staffOf(site, { name: `pat-${at}`, roles: ["support"], screen, lang });
  await site.play(screen, lang, async (scene) => {
    await comesToWork(site, scene.page.context(), { name: `sam-${at}`, roles: ["support"] });
    await open(scene.page, "/workspace/leads");
    await findsTheLead(scene, morning);
    await replaysTheLead(scene);
    await revealsWho(scene);
    await takesTheLead(scene);
    await mentionsAColleague(scene, `pat-${at}`);
    await answersWithATemplate(scene);
    await paysAttentionToMoney(scene, morning);
    await changesTheStay(scene, morning);
    await extendsTheHold(scene, morning);
    await marksADouble(scene, morning);
    await closesAndOpens(scene, morning);
    await closesSeveral(scene, morning);
    await savesAView(scene);
    await looksBack(scene);
    await reportsAndSegments(scene, morning);
    await looksAround(scene);
  });
  const mentioned = await pat.context.request.get("/api/v0/workspace/leads?mentions=me");
  expect((await mentioned.json()).data.meta.count).toBe(1);
  await pat.context.close();
};

for (const { device, screen, lang } of chooseStagings([desktopEn]))
  test(`support works a day by keys, ${device}, ${lang}`, worksADay(screen, lang));
