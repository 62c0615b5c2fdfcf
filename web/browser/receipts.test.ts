import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Screen } from "./chromium.ts";
import { cards, comeToPay, payWith, standsAt } from "./payer.ts";
import { openSite } from "./site.ts";
import { bothStagings } from "./stagings.ts";
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
