import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { open, type Screen } from "./chromium.ts";
import { cards, comeToPay, payWith, standsAt } from "./payer.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { bothStagings, chooseStagings, desktopEn, phoneZh } from "./stagings.ts";
import { until } from "./until.ts";
import type { Lang } from "./words.ts";

/** Paid, rated, the receipt opened, downloaded and checked. */

const site = openSite();

const paysAndChecks = (screen: Screen, lang: Lang) =>
  site.play(screen, lang, async (scene) => {
    const { page, say } = scene;
    await comeToPay(scene, site.market);
    await payWith(page, cards.pays);
    await standsAt(page, "success");
    await scene.look("paid");
    await page.getByRole("button", { name: say("rating.send") }).click();
    await page.getByText(say("rating.choose")).waitFor();
    await page.getByRole("radio", { name: say("rating.score", { score: 9 }) }).check({ force: true });
    await page.getByLabel(say("rating.words")).fill("Honest photos");
    await page.getByRole("button", { name: say("rating.send") }).click();
    await page.getByText(say("rating.thanks")).waitFor();
    await page.getByRole("link", { name: say("payment.open_receipt") }).click();
    await page.getByRole("link", { name: say("receipt.download_pdf") }).waitFor();
    await scene.look("receipt");
    const number = (await page.locator(".receipt .ref").first().textContent()) ?? "";
    const pdf = await fileOf(page.getByRole("link", { name: say("receipt.download_pdf") }));
    const proof = await fileOf(page.getByRole("link", { name: say("receipt.download_proof") }));
    await page.getByRole("link", { name: say("receipt.verify_link") }).click();
    await page.waitForURL(/\/verify$/);
    const check = page.getByRole("button", { name: say("verify.check") });
    await check.click();
    await page.getByText(say("verify.nothing")).waitFor();
    await scene.look("verify");
    const files = page.locator("input[type=file]");
    for (const [name, buffer] of [
      ["receipt.pdf", pdf],
      ["proof.json", proof],
    ] as const) {
      await files.setInputFiles({ name, mimeType: "application/octet-stream", buffer });
      await check.click();
      await page.locator("[data-verdict=valid]").getByText(number).waitFor();
    }
    await scene.look("verified");
    const changed = Buffer.from(
      proof.toString().replace(/("total_minor": \d*)(\d)/, (_, start, last) => start + ((Number(last) + 1) % 10)),
    );
    await files.setInputFiles({ name: "proof.json", mimeType: "application/json", buffer: changed });
    await check.click();
    await page.locator("[data-verdict=invalid]").waitFor();
    await expect.poll(() => page.locator("[data-verdict=invalid]").textContent()).toContain(say("verify.fault_lines"));
    await scene.look("not-verified");

    async function fileOf(link: ReturnType<typeof page.getByRole>): Promise<Buffer> {
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      return readFile(await download.path());
    }
  });

for (const { device, screen, lang } of bothStagings)
  test(`receipt is opened, downloaded and checked, ${device}, ${lang}`, () => paysAndChecks(screen, lang));

// The link in a receipt's mail: opened without a login, in the language wanted, and renewed after its end.

interface Paid {
  reference: string;
  /** In the mail of the receipt. */
  link: string;
}

/** The link in a payer's mail of this kind. */
async function mailed(kind: "receipt" | "refunded", reference: string): Promise<string> {
  let found = "";
  await until(`a mail is sent: ${kind}`, async () => {
    const mails = await site.market.call<{ kind: string; body: string }[]>("GET", "/dev/outbox");
    const own = mails.find((mail) => mail.kind === kind && mail.body.includes(reference));
    found = own?.body.match(/\/receipts\/\S+/)?.[0] ?? "";
    return found !== "";
  });
  return found;
}

/** A new payer pays. */
async function pays(): Promise<Paid> {
  const { token } = await site.market.payment(await site.market.stay((rooms) => rooms > 3));
  await site.market.begin(token);
  await site.market.pay(token);
  const { reference } = await site.market.call<{ reference: string }>("GET", `/api/v0/payments/${token}`);
  return { reference, link: await mailed("receipt", reference) };
}

const opensAndRenews = (screen: Screen, lang: Lang) =>
  site.play(screen, lang, async (scene) => {
    const { page, say } = scene;
    const { link } = await pays();
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

for (const { device, screen, lang } of chooseStagings([desktopEn]))
  test(`mailed receipt opens and its link is renewed, ${device}, ${lang}`, () => opensAndRenews(screen, lang));

/** Finance sends part of the payment back; gives the link in the mail of the credit note. */
async function refunds({
  screen,
  lang,
  reference,
}: {
  screen: Screen;
  lang: Lang;
  reference: string;
}): Promise<string> {
  const name = `refunds-${screen.width}-${lang}`;
  const { context } = await staffOf(site, { name, roles: ["finance"], screen, lang });
  const events = "/api/v0/workspace/payments/events?kind=captured&limit=10";
  let id = "";
  await until("finance sees the payment", async () => {
    const listed = (await (await context.request.get(events)).json()).data.result;
    id = listed.find((one: { payment_reference: string }) => one.payment_reference === reference)?.payment_id ?? "";
    return id !== "";
  });
  const asked = { booking: "keep", amount_minor: 1_000, reason: "plans changed" };
  const answer = await context.request.post(`/api/v0/workspace/payments/${id}/refunds`, { data: asked });
  expect(answer.status()).toBe(201);
  await context.close();
  return mailed("refunded", reference);
}

const readsTheOtherNumber = (screen: Screen, lang: Lang) =>
  site.play(screen, lang, async (scene) => {
    const { page, say } = scene;
    const { reference, link } = await pays();
    const ofNote = await refunds({ screen, lang, reference });
    for (const [at, name] of [
      [link, "receipt-with-note"],
      [ofNote, "credit-note"],
    ] as const) {
      await open(page, at);
      await page.getByText(say("receipt.other_links")).waitFor();
      await expect.poll(() => page.locator(".receipt-notes a").count()).toBe(0);
      await expect.poll(() => page.locator(".receipt-notes").textContent()).toMatch(/[A-Z]-\S+/);
      await scene.look(name);
    }
    await page
      .getByRole("main")
      .getByRole("link", { name: say("receipt.log_in") })
      .click();
    // Over the receipt, which stays.
    await page.locator("dialog.modal-login").waitFor();
  });

for (const { device, screen, lang } of chooseStagings([phoneZh]))
  test(`guest reads the number of the other paper, ${device}, ${lang}`, () => readsTheOtherNumber(screen, lang));
