import { expect, test } from "vitest";
import { axe, open, shot } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { allStagings, chooseStagings, phoneZh } from "./stagings.ts";

const site = openSite();

async function enquire(email: string): Promise<string> {
  const lead = {
    state: "created",
    user_details: { name: "Mei Lin", email, phone: "+447700900123" },
    data: { university: "University of Leeds" },
  };
  const answer = await fetch(`${site.url}/api/v0/leads/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ lead }),
  });
  const { data } = (await answer.json()) as { data: { id: string; reference: string } };
  return data.reference;
}

for (const { device, screen, lang } of chooseStagings([phoneZh], allStagings)) {
  // Support closes several leads at once and takes it back, then closes one by its keys.
  test(`leads are closed at once and one by keys, on a ${device} in ${lang}`, async () => {
    const mail = `mei.acts.${device}.${lang}@example.com`;
    const references = [await enquire(mail), await enquire(mail.replace("mei", "jo"))];
    const say = (en: string, zh: string) => (lang === "en" ? en : zh);
    const who = { name: `acts-${device}-${lang}`, roles: ["support"], screen, lang };
    const { page, context, complaints } = await staffOf(site, who);
    await open(page, "/workspace/leads");
    for (const reference of references) {
      await page.getByRole("checkbox", { name: new RegExp(reference) }).check();
    }
    const bar = page.getByRole("region", { name: say("Acts on the selection", "对所选线索的操作") });
    await bar.getByLabel(say("Act", "操作"), { exact: true }).selectOption("close");
    await bar.getByRole("button", { name: say("Do it for 2", "对 2 条执行") }).click();
    await bar.getByText(say("Done for 2 of 2.", "已完成 2/2。")).waitFor();
    expect(await axe(page)).toEqual([]);
    await shot(page, `workspace-bulk-${screen.width}-${lang}`);
    await bar.getByRole("button", { name: say("Undo", "撤销") }).click();
    await bar.getByText(say("Done for 2 of 2.", "已完成 2/2。")).waitFor({ state: "detached" });

    await page.getByRole("link", { name: new RegExp(references[0] ?? "") }).click();
    await page.locator(".replay.is-now").waitFor();
    await page
      .locator(".lh")
      .getByRole("button", { name: say("Acts", "操作") })
      .waitFor();
    await page.keyboard.press("m");
    const menu = page.getByRole("list", { name: say("All acts", "全部操作") });
    await menu.waitFor();
    expect(await axe(page)).toEqual([]);
    await shot(page, `workspace-acts-${screen.width}-${lang}`);
    await page.keyboard.press("c");
    await page.getByLabel(say("Reason", "原因"), { exact: true }).selectOption("booked_elsewhere");
    await page.locator(".dlg button[type=submit]").click();
    await page.getByText(say("Closed (booked elsewhere)", "已关闭（已在别处预订）")).first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
}
