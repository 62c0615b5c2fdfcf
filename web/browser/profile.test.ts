import { afterAll, beforeAll, expect, test } from "vitest";
import { bookARoom } from "./booking.ts";
import { desktop, launch, open, phone } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { Marketplace } from "./marketplace.ts";
import { enter, type Scene, type Stage } from "./scene.ts";
import { type Server, startServer } from "./server.ts";

/** The own homes with something in them, and what is asked after the payment (rows G1, D2, D5). */

let server: Server;
let browser: Awaited<ReturnType<typeof launch>>;
let market: Marketplace;
const taken = { count: 0 };
const found: Stage["found"] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  market = new Marketplace(server.url);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function comeIn(scene: Scene, email: string, next: string): Promise<void> {
  await open(scene.page, `/?login=1&next=${encodeURIComponent(next)}`);
  await logIn(scene, email);
  await scene.page.waitForURL((url) => url.pathname === next);
}

for (const { screen, lang } of [
  { screen: desktop, lang: "en" as const },
  { screen: phone, lang: "zh" as const },
]) {
  test(`an enquiry goes on with its own room and stay, and the shortlist holds a home, at ${screen.width} px in ${lang}`, async () => {
    const stay = await market.stay();
    const lead = await market.lead(stay);
    const scene = await enter({ browser, url: server.url, screen, lang, taken, found });
    const { page, say } = scene;
    await comeIn(scene, lead.email, "/profile/leads");
    await page.getByRole("tab", { name: say("profile.tab_enquired") }).click();
    const card = page.locator("article.bcard");
    await card.waitFor();
    await scene.look("profile-enquired");
    await card.locator(".bnext .btn-primary").click();
    await page.waitForURL(/\/form\?.*inventory_id=/);
    const chosen = page.locator("main input[type=radio]:checked");
    await chosen.waitFor();
    const room = await chosen.evaluate((radio) => radio.closest("label")?.textContent ?? "");
    expect(room).toContain(String(stay.lease_duration));
    await open(page, `/places/${stay.home}`);
    // A phone has its heart on the card in the list; the card of this home stands under the homes just viewed.
    const heart = scene.narrow ? ".heart" : ".save";
    if (scene.narrow) await open(page, "/profile/leads?tab=recently_viewed");
    await page.locator(`${heart}[aria-pressed=false]`).locator("visible=true").first().click();
    await page.locator(`${heart}[aria-pressed=true]`).first().waitFor();
    await open(page, "/profile/shortlist");
    await page.locator(".pcard").first().waitFor();
    await scene.look("profile-shortlist");
    await scene.leave();
  });
}

test("documents are asked for after the payment and then are no more", async () => {
  const email = "documents@example.org";
  const { reference } = await bookARoom(server.url, email);
  const scene = await enter({ browser, url: server.url, screen: desktop, lang: "en", taken, found });
  const { page, say } = scene;
  await comeIn(scene, email, "/profile/leads");
  const card = page.locator(`article[data-lead="${reference}"]`);
  await card.getByText(say("profile.state_booked"), { exact: true }).waitFor();
  await scene.look("profile-booked");
  await card.getByRole("link", { name: say("profile.action_add_documents"), exact: true }).click();
  await page.getByRole("heading", { name: say("booking.title_after") }).waitFor();
  await page.locator("main select[name=identity_document]").selectOption("passport");
  await page.locator("main [name=identity_number]").fill("P1234567");
  const picker = page.locator("main input[type=file][name=identity_file]");
  const file = (name: string, text: string) => ({ name, mimeType: "application/pdf", buffer: Buffer.from(text) });
  await picker.setInputFiles(file("pass.pdf", "<html>"));
  await page.getByText(say("validation.document_kind")).waitFor();
  await picker.setInputFiles(file("Pass Mei.pdf", "%PDF-1.7 a passport"));
  const sent = page.getByRole("link", { name: "Pass Mei.pdf" });
  await sent.waitFor();
  const [kept] = await Promise.all([page.waitForEvent("download"), sent.click()]);
  expect(kept.suggestedFilename()).toBe("Pass Mei.pdf");
  await page.locator("main input[type=checkbox]").check({ force: true });
  await scene.look("documents");
  await page.locator(".flow-foot button[type=submit]").click();
  await page.getByText(say("booking.sent_after")).waitFor();
  await scene.look("documents-sent");
  await page.getByRole("button", { name: say("booking.finish"), exact: true }).click();
  await page.waitForURL(/\/profile\/leads/);
  await card.waitFor();
  expect(await card.getByRole("link", { name: say("profile.action_add_documents") }).count()).toBe(0);
  await scene.leave();
});

test("an American home is applied for on its own page", async () => {
  const [home] = await market.homes("new-york", 10);
  const option = home?.room_types.flatMap(({ options }) => options).find(({ rooms_left }) => rooms_left > 0);
  if (!home || !option) throw new Error("no home of New York can be booked");
  const lead = await market.lead({ ...option, home: home.canonical_name });
  const scene = await enter({ browser, url: server.url, screen: phone, lang: "en", taken, found });
  const { page, say } = scene;
  await comeIn(scene, lead.email, "/profile/leads");
  await page.getByRole("tab", { name: say("profile.tab_enquired") }).click();
  await page.locator("article.bcard .bnext .btn-primary").click();
  await page.waitForURL(/\/application\?/);
  await page.getByRole("button", { name: say("booking.continue"), exact: true }).click();
  await page.getByRole("heading", { name: say("booking.title_apply") }).waitFor();
  await scene.look("application");
  await page.locator("main [name=full_name]").fill("Maya Ramos Ruiz");
  await page.getByText(say("booking.saved"), { exact: true }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: say("booking.title_apply") }).waitFor();
  await expect.poll(() => page.locator("main [name=full_name]").inputValue()).toBe("Maya Ramos Ruiz");
  await page.getByRole("button", { name: say("booking.back"), exact: true }).click();
  await page.locator("main input[type=radio]:checked").waitFor();
  await scene.leave();
});

test("nothing on the way was unreachable, noisy or too wide", () => {
  expect(found).toEqual([]);
});
