import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { desktop, open, phone, type Screen } from "./chromium.ts";
import { openSite } from "./site.ts";
import { until } from "./until.ts";
import type { Lang } from "./words.ts";

/** The link in a receipt's mail: opened without a login, in the language wanted, and renewed after its end. */

const site = openSite();

/** A new payer pays; gives the link in their receipt's mail. */
async function pays(): Promise<string> {
  const { token } = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
  await site.market.begin(token);
  await site.market.pay(token);
  const { reference } = await site.market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`);
  let found = "";
  await until("the receipt is mailed", async () => {
    const mails = await site.market.call<{ kind: string; body: string }[]>("GET", "/dev/outbox");
    const own = mails.find(({ kind, body }) => kind === "receipt" && body.includes(reference));
    found = own?.body.match(/\/receipts\/\S+/)?.[0] ?? "";
    return found !== "";
  });
  return found;
}

const opensAndRenews = (screen: Screen, lang: Lang) =>
  site.play(screen, lang, async (scene) => {
    const { page, say } = scene;
    const link = await pays();
    await open(page, link);
    const download = page.getByRole("link", { name: say("receipt.download_pdf") });
    await download.waitFor();
    await page.getByLabel(say("receipt.pdf_language")).selectOption("de");
    await scene.look("receipt-in-german");
    const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
    expect(file.url()).toContain("lang=de");
    const moved = await fetch(`${site.url}/dev/clock`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ forward_seconds: 92 * 86_400 }),
    });
    expect(moved.ok).toBe(true);
    await open(page, link);
    await page.getByRole("heading", { name: say("receipt.link_over_title") }).waitFor();
    await scene.look("receipt-link-over");
    await page.getByRole("button", { name: say("receipt.link_new") }).click();
    await page.getByText(say("receipt.link_sent")).waitFor();
  });

test("mailed receipt opens and its link is renewed, desktop, en", () => opensAndRenews(desktop, "en"));
test("mailed receipt opens and its link is renewed, phone, zh", () => opensAndRenews(phone, "zh"));
