import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { open } from "./chromium.ts";
import { choose, command, goTo, pick, press, search, type } from "./keyboard.ts";
import { patience, type Scene } from "./scene.ts";
import { until } from "./until.ts";

/** What a finance officer does in a day; every hand here is on the keyboard. */

/** The payments of one day, by reference; the charge is the provider's name for the first. */
export interface Case {
  reference: string;
  charge: string;
  disputed: string;
  returned: string;
}

const dialogOf = ({ page }: Scene): Locator => page.getByRole("dialog");

/** Closes what lies over the page. */
async function closes(scene: Scene): Promise<void> {
  await scene.page.keyboard.press("Escape");
  await dialogOf(scene).waitFor({ state: "detached" });
}

async function isTold({ page }: Scene, words: RegExp): Promise<void> {
  await page.locator(".toast", { hasText: words }).last().waitFor();
}

/** Opens the dossier of the first row by J and Enter. */
async function openDossier(scene: Scene, words: string): Promise<Locator> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.payment_audit"), say("finance.title"));
  await search(page, "audit-search", words);
  // The rows of the search before stay until the new ones come.
  await page.waitForFunction((wanted) => {
    const rows = [...document.querySelectorAll(".fin-t tbody tr:not(.daysep)")];
    return rows.length > 0 && rows.every((row) => row.textContent?.includes(wanted));
  }, words);
  await page.keyboard.press("j");
  await page.locator(".fin-t tr[aria-selected=true]").waitFor();
  await page.keyboard.press("Enter");
  const dossier = dialogOf(scene);
  await dossier.locator(".w-zero").waitFor();
  return dossier;
}

/** By the charge's id and by the amount; why it stands there, down to the causing event; and every step beside the money. */
export async function findsTheCharge(scene: Scene, { charge }: Case): Promise<void> {
  const { page, say } = scene;
  const rows = page.locator(".fin-t tbody tr:not(.daysep)");
  await rows.first().waitFor();
  await scene.look("day-money");
  const money = await rows.count();
  await press(page, page.getByRole("button", { name: say("finance.steps_all"), exact: true }));
  await page.waitForURL(/steps=all/);
  await expect.poll(() => rows.count(), { timeout: patience }).toBeGreaterThan(money);
  await scene.look("day-all-steps");
  await press(page, page.getByRole("button", { name: say("finance.steps_money"), exact: true }));
  await expect.poll(() => rows.count(), { timeout: patience }).toBe(money);
  await search(page, "audit-search", "259.07");
  await rows.first().waitFor();
  await search(page, "audit-search", charge);
  await expect.poll(() => rows.count(), { timeout: patience }).toBe(1);
  await page.keyboard.press("j");
  await page.keyboard.press("w");
  const why = dialogOf(scene);
  await why.locator(".why-facts").waitFor();
  await scene.look("day-why-captured");
  const cause = why.getByRole("button", { name: new RegExp(say("why.cause", { n: "[\\d,]+" })) });
  if ((await cause.count()) > 0) {
    await press(page, cause);
    await why.locator(".why-facts, .muted").first().waitFor();
    await scene.look("day-why-cause");
  }
  await closes(scene);
}

/** Part of it by oneself, and more than one's limit by asking a second person. */
export async function refundsPart(scene: Scene, { reference }: Case): Promise<void> {
  const { page, say, like } = scene;
  const dossier = await openDossier(scene, reference);
  await scene.look("day-dossier");
  await press(
    page,
    dossier.getByRole("button", { name: say("support.why_field", { field: say("finance.captured") }) }),
  );
  await page.locator(".why-facts").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".why-facts").waitFor({ state: "detached" });
  await refund(scene, "10.00", "day-refund", like("finance.refund_sent"));
  await refund(scene, "150.00", "day-refund-above-limit", like("finance.refund_asked"));
  await dialogOf(scene).getByText(like("approvals.asked")).first().waitFor();
  await scene.look("day-dossier-asked");
  await closes(scene);
}

/** Fills in the refund of the open dossier and sends it; what is told of it goes away soon, and is waited for from the press on. */
async function refund(scene: Scene, amount: string, picture: string, told: RegExp): Promise<void> {
  const { page, say, look } = scene;
  const button = page.locator(".w-drawer footer").getByRole("button", { name: say("finance.refund"), exact: true });
  await press(page, button);
  const form = page.locator(".w-box form.dlg.wide");
  await choose(page, form.locator("input[name=booking]"), form.locator("input[name=booking]").first());
  await type(page, form.locator(".opt-in input"), amount);
  await pick(page, form.getByLabel(say("finance.why")), "plans_changed");
  await look(picture);
  await Promise.all([isTold(scene, told), press(page, form.locator("button[type=submit]:visible"))]);
  await form.waitFor({ state: "detached" });
  await button.waitFor();
}

/** The second person approves what waits. */
export async function approvesAsSecond(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.approvals"), say("approvals.title"));
  await press(page, page.getByRole("button", { name: say("approvals.approve"), exact: true }));
  await press(page, dialogOf(scene).locator("[type=submit]"));
  await isTold(scene, new RegExp(say("approvals.was_approved")));
  await dialogOf(scene).waitFor({ state: "detached" });
}

/** A refund comes back from the bank and is paid by hand. */
export async function paysInAnotherWay(scene: Scene, { returned }: Case): Promise<void> {
  const { page, say, like } = scene;
  await openDossier(scene, returned);
  await refund(scene, "5.00", "day-refund-that-fails", like("finance.refund_sent"));
  await closes(scene);
  const title = page.getByRole("heading", { name: say("returned.title") });
  await until("the refund came back", async () => {
    await open(page, "/workspace/finance");
    await page.locator(".fin-t tbody tr").first().waitFor();
    return (await title.count()) > 0;
  });
  await scene.look("day-returned");
  await press(page, page.getByRole("button", { name: say("returned.elsewhere") }).first());
  await type(page, dialogOf(scene).getByRole("textbox"), "Bank transfer of 2 December");
  await press(page, dialogOf(scene).locator("[type=submit]"));
  await dialogOf(scene).waitFor({ state: "detached" });
  await title.waitFor({ state: "detached" });
}

export async function sendsEvidence(scene: Scene, { disputed }: Case): Promise<void> {
  const { page, say, like } = scene;
  const dossier = await openDossier(scene, disputed);
  const evidence = dossier.locator("[data-dispute]");
  await evidence.getByText(like("evidence.laid")).waitFor();
  await scene.look("day-dispute");
  await press(page, evidence.getByRole("button", { name: say("evidence.send") }));
  await evidence.getByText(like("evidence.sent_by")).waitFor();
  await closes(scene);
}

/** The provider kept another fee than agreed: the posting that mends it is proposed. */
export async function mendsADifference(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.reconciliation"), say("reconciliation.title"));
  await press(page, page.getByRole("button", { name: say("reconciliation.run") }));
  const card = page.locator(".rm-one", { hasText: say("reconciliation.check_fee_differs") });
  await card.waitFor();
  await scene.look("day-reconciliation");
  await press(page, card.getByRole("button", { name: say("reconciliation.propose") }));
  await type(page, dialogOf(scene).getByRole("textbox"), "Claimed from the provider");
  await scene.look("day-propose");
  await press(page, dialogOf(scene).locator("[type=submit]"));
  await card.getByText(say("reconciliation.waits")).waitFor();
}

/** A bank's file with a strange column is refused by name, named, and compared line by line; an odd row is counted and shown. */
export async function comparesAFile(scene: Scene, { charge }: Case): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.reconciliation"), say("reconciliation.title"));
  const lines = ["Day,Amount,Currency,Reference", `2026-11-26,259.07,GBP,${charge}`, "2026-11-26,12.00,GBP,rent"];
  lines.push("31.11.2026,5.00,GBP,odd");
  const field = page.locator("input[type=file]");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press(page, field)]);
  await chooser.setFiles({ name: "bank.csv", mimeType: "text/csv", buffer: Buffer.from(`${lines.join("\n")}\n`) });
  const compare = page.getByRole("button", { name: say("bank_file.compare"), exact: true });
  await press(page, compare);
  await page.getByRole("alert").getByText(say("bank_file.no_column_cure")).waitFor();
  await scene.look("day-file-refused");
  await press(page, page.locator(".bf-columns summary"));
  await type(page, page.getByLabel(say("bank_file.date"), { exact: true }), "Day");
  await press(page, compare);
  await page.locator(".bf-result .chip", { hasText: say("bank_file.verdict_matched") }).waitFor();
  await page.locator(".bf-result .chip", { hasText: say("bank_file.verdict_unknown") }).waitFor();
  await page.locator(".bf-odd").getByText(say("bank_file.reason_day")).waitFor();
  await scene.look("day-file-compared");
}

/** The trial balance, one account's entries, and from there the payment. */
export async function readsTheBooks(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.books"), say("books.title"));
  await page.getByText(say("books.zero")).first().waitFor();
  await scene.look("day-books");
  await press(page, page.getByRole("link", { name: say("finance.account_deposits"), exact: true }).first());
  await page.waitForURL(/account=deposits/);
  await page.getByText(say("books.running")).first().waitFor();
  await scene.look("day-account");
}

export async function savesTheFiles(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.payment_audit"), say("finance.title"));
  const files = [say("finance.export_csv"), ...(scene.narrow ? [] : [say("finance.export_xlsx")])];
  for (const name of files) {
    const link = page.getByRole("link", { name, exact: true });
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, link)]);
    expect((await readFile(await file.path())).length).toBeGreaterThan(200);
  }
}

/** The books as they stood at the end of yesterday, and the page as it was before anything happened. */
export async function looksAtYesterday(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await page.keyboard.press("t");
  await press(page, dialogOf(scene).getByRole("button", { name: say("finance.as_of_yesterday") }));
  const bar = page.locator(".past-all");
  await bar.waitFor();
  expect(new URL(page.url()).searchParams.get("as_of")).toMatch(/T23:59:59/);
  await scene.look("day-yesterday");
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });
  await page.keyboard.press("h");
  await bar.waitFor();
  // A state that was not read before is folded first.
  await page
    .locator(".fin-t:not([aria-busy]) tbody tr")
    .first()
    .waitFor({ timeout: 2 * patience });
  await scene.look("day-earlier-finance");
  await press(page, bar.getByRole("button", { name: say("support.back_to_now") }));
  await bar.waitFor({ state: "detached" });
}

export async function verifiesTheChain(scene: Scene): Promise<void> {
  const { page, say, like } = scene;
  await command(scene, say("workspace.chain"));
  const chain = dialogOf(scene);
  await chain.getByText(say("finance.chain_whole")).waitFor();
  await press(page, chain.getByRole("button", { name: say("finance.month_consistency") }));
  await chain.getByText(like("finance.month_no_head")).waitFor();
  await scene.look("day-chain");
  await closes(scene);
}

/** The provider's account, what was decided, and the read models. */
export async function looksAround(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("provider.title"));
  await press(page, page.getByRole("button", { name: say("provider.read_now") }));
  await isTold(scene, new RegExp(say("provider.was_read")));
  await scene.look("day-provider");
  await goTo(scene, say("workspace.approvals"), say("approvals.title"));
  await page.getByText(say("approvals.was_approved")).first().waitFor();
  await scene.look("day-approvals");
  await goTo(scene, say("workspace.read_models"));
  await page.locator(".rm-one").first().waitFor();
  await scene.look("day-read-models");
}

/** Forty days later the month has ended: its signed head is saved. */
export async function savesTheMonthsEnd(scene: Scene, url: string, comesBack: () => Promise<void>): Promise<void> {
  const { page, say } = scene;
  const ahead = 40 * 86_400;
  const body = JSON.stringify({ forward_seconds: ahead });
  const moved = await fetch(`${url}/dev/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(moved.ok).toBe(true);
  await comesBack();
  await page.clock.setFixedTime(Date.now() + ahead * 1000);
  await open(page, "/workspace/finance?chain=1");
  const head = dialogOf(scene).getByRole("button", { name: say("finance.month_head") });
  await head.waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, head)]);
  expect(file.suggestedFilename()).toMatch(/^head-\d{4}-\d{2}-\d{2}\.json$/);
  await scene.look("day-month-end");
}
