import { expect, test } from "vitest";
import { disputes } from "./cardTable.ts";
import { axe, open, type Screen, shot } from "./chromium.ts";
import { comeToPay, payWith, standsAt } from "./payer.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { chooseStagings, phoneZh } from "./stagings.ts";
import type { Lang } from "./words.ts";
import { wordsOf } from "./words.ts";

/** A bank disputes a deposit: finance reads what was laid, and sends it on once. */

const site = openSite();

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
