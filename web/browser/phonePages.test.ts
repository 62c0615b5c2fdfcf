import { test } from "vitest";
import { bookARoom } from "./booking.ts";
import { open, phone } from "./chromium.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { comesToWork } from "./staff.ts";
import { chooseStagings, phoneEn, phoneZh } from "./stagings.ts";
import type { Lang } from "./words.ts";

/** Every page of the workspace on a phone, in both languages: reached, untroubled, and no wider than the window. */

const site = openSite();

const pages = [
  "leads",
  "waitlists",
  "cases",
  "segments",
  "report",
  "finance",
  "provider",
  "books",
  "reconciliation",
  "approvals",
  "read_models",
  "grants",
  "mirror",
  "health",
  "reads",
  "settings",
  "second_step",
  "books?account=deposits",
  "finance?chain=1",
];

/** What lies over a page: opened by its key or its button, looked at, and closed. */
async function looksAtOverlays(scene: Scene): Promise<void> {
  const { page, say, look } = scene;
  const dialog = page.getByRole("dialog");
  const close = async () => {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };
  await open(page, "/workspace/leads");
  await page.locator(".leads tbody tr[aria-selected]").first().waitFor();
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: say("workspace.keys_title") }).waitFor();
  await look("phone-keys");
  await close();
  await page.keyboard.press("Control+k");
  await page.locator(".pal [role=option]").first().waitFor();
  await look("phone-command-list");
  await close();
  await page.keyboard.press("h");
  await page.locator(".past-all").waitFor();
  await page.locator(".leads:not([aria-busy]) tbody tr").first().waitFor();
  await look("phone-earlier");
  await open(page, "/workspace/finance");
  await page.getByRole("button", { name: say("finance.find_person"), exact: true }).click();
  await dialog.getByLabel(say("person_search.email")).waitFor();
  await look("phone-person-search");
  await close();
  await open(page, "/workspace/segments?steps=enquired,paid");
  await page.getByRole("button", { name: say("queues.save_segment") }).click();
  await dialog.getByRole("textbox", { name: say("queues.name") }).waitFor();
  await look("phone-save-segment");
  await close();
}

const looksAtEach = (lang: Lang) => () =>
  site.play(phone, lang, async (scene) => {
    const { page } = scene;
    const { reference } = await bookARoom(site.url, `mei.${lang}@example.com`);
    const context = page.context();
    await comesToWork(site, context, { name: `tours-${lang}`, roles: ["support", "finance", "admin"] });
    for (const place of pages) {
      await open(page, `/workspace/${place}`);
      await page.locator("main#work h1").waitFor();
      await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
      await scene.look(`phone-${place.replace(/\W.*/, "")}`);
    }
    await looksAtOverlays(scene);
    const found = await context.request.get(`/api/v0/workspace/leads?q=${reference}`);
    const { lead_id } = (await found.json()).data.result[0];
    await open(page, `/workspace/leads/${lead_id}`);
    await page.locator(".replay.is-now").waitFor();
    await scene.look("phone-lead");
    for (const [at, pane] of [
      [1, "state"],
      [2, "path"],
    ] as const) {
      await page.locator(".mtabs button").nth(at).click();
      await scene.look(`phone-lead-${pane}`);
    }
    const paid = await context.request.get("/api/v0/workspace/payments/events?kind=captured&limit=1");
    const { payment_id } = (await paid.json()).data.result[0];
    await open(page, `/workspace/finance?payment=${payment_id}`);
    await page.locator(".w-box .w-zero").waitFor();
    await scene.look("phone-dossier");
  });

// English is the longer language.
for (const { lang } of chooseStagings([phoneEn], [phoneEn, phoneZh]))
  test(`every page of the workspace fits a phone, ${lang}`, looksAtEach(lang));
