import type { Page } from "playwright-core";
import { expect } from "vitest";
import { open } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import type { Scene } from "./scene.ts";
import type { Student } from "./student.ts";
import { until } from "./until.ts";

/** Opens the workspace, which asks who is there, and logs in. */
export async function comeToWork(scene: Scene, email: string, place: string): Promise<void> {
  const { page, say } = scene;
  await open(page, `/workspace/${place}`);
  const dialog = page.locator("dialog.modal-login");
  const gate = page.getByRole("link", { name: say("workspace.login"), exact: true });
  await dialog.or(gate).first().waitFor();
  if (await gate.isVisible()) {
    await scene.look("workspace-gate");
    await gate.click();
  }
  await logIn(scene, email);
  await page.waitForURL(new RegExp(`/workspace/${place}`));
  await page.locator("main#work h1").waitFor();
}

/** Finds the lead by the address and by the name, and opens its replay. */
export async function findLead(scene: Scene, { name, email }: Student, reference: string): Promise<void> {
  const { page, say } = scene;
  const row = page.getByRole("link", { name: say("support.open_lead", { reference }) });
  await row.waitFor();
  await scene.look("leads");
  for (const words of [email, name.split(" ")[0] ?? name]) {
    await page.getByRole("searchbox", { name: say("support.search_leads") }).fill(words);
    await page.waitForURL((url) => url.searchParams.get("q") === words);
    await page.locator(".pill.on", { hasText: words }).waitFor();
    await row.waitFor();
  }
  await scene.look("leads-found");
  await row.click();
  await page.locator("main.replay").waitFor();
}

/** Back to the moment of the declined card, and to now again. */
export async function replay(scene: Scene): Promise<void> {
  const { page, say, like } = scene;
  await page.locator(".ev").first().waitFor();
  await scene.look("replay-now");
  const declined = page.locator(".ev", { has: page.locator(".mk.bad") });
  await declined.locator("button.n").click();
  await page.locator("main.is-past").waitFor();
  await page.locator(".past-banner").getByText(like("support.past")).waitFor();
  await scene.look("replay-declined");
  if (scene.narrow) {
    for (const tab of ["state", "path"] as const) {
      await page
        .locator(".mtabs button")
        .nth(tab === "state" ? 1 : 2)
        .click();
      await scene.look(`replay-declined-${tab}`);
    }
    await page.locator(".mtabs button").first().click();
  }
  const slider = page.getByRole("slider", { name: say("support.moment") });
  const at = Number(await slider.getAttribute("aria-valuenow"));
  await page.keyboard.press("ArrowRight");
  await page.locator(`[role=slider][aria-valuenow="${at + 1}"]`).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("main.is-now").waitFor();
}

/** Shows who it is, with a reason that becomes an event. */
export async function revealWho(scene: Scene, { name }: Student): Promise<void> {
  const { page, say } = scene;
  expect(await page.locator("main").textContent()).not.toContain(name);
  await page
    .locator(".who-h")
    .getByRole("button", { name: say("support.show_with_reason") })
    .click();
  const dialog = page.locator(".w-box");
  await dialog.getByText(say("support.reason_payment_problem")).click();
  await scene.look("reveal");
  await dialog.getByRole("button", { name: say("support.reveal_show") }).click();
  await page.locator(".who-h h1", { hasText: name }).waitFor();
  await scene.look("revealed");
}

/** The payment in the audit, its dossier with the double entry, and the chain. */
export async function audit(scene: Scene, reference: string): Promise<void> {
  const { page, say, like } = scene;
  await page.locator(".proof:not(.broken)").getByText(like("finance.verified_through")).waitFor();
  const event = say("finance.kind_captured");
  const row = page.locator(".fin-t tr", { hasText: reference }).getByRole("button", { name: new RegExp(`^${event}`) });
  await row.waitFor();
  await scene.look("audit");
  await page.locator(".proof").click();
  const chain = page.locator(".w-box");
  await chain.getByText(say("finance.chain_whole")).waitFor();
  await scene.look("chain");
  await chain.getByRole("button", { name: say("workspace.close") }).click();
  await row.click();
  await page.locator(".w-box .w-zero:not(.off)").waitFor();
  await scene.look("dossier");
}

/** Toasts of which an end or the middle lies under something else. */
function coveredToasts(page: Page): Promise<string[]> {
  return page.locator(".toast").evaluateAll((toasts) =>
    toasts.flatMap((toast) => {
      const { left, right, top, bottom } = toast.getBoundingClientRect();
      const places = [left + 8, (left + right) / 2, right - 8];
      const isFree = places.every((x) => toast.contains(document.elementFromPoint(x, (top + bottom) / 2)));
      return isFree ? [] : [toast.textContent ?? ""];
    }),
  );
}

/** Gives part of the payment back, and says what becomes of the booking; the ledger still comes to zero. */
export async function refundPart(scene: Scene, booking: "keep" | "cancel", amount: string): Promise<void> {
  const { page, say } = scene;
  await page
    .locator(".w-box")
    .getByRole("button", { name: say("finance.refund"), exact: true })
    .click();
  const dialog = page.locator(".w-box form.dlg");
  await dialog.getByText(say(`finance.booking_${booking}`)).click();
  await dialog.getByText(say("finance.another_amount")).click();
  await dialog.locator(".opt-in input").fill(amount);
  await dialog.getByLabel(say("finance.why")).selectOption("plans_changed");
  await scene.look("refund");
  // A toast goes away after three seconds: it is waited for from the press on.
  const toast = page.locator(".w-box .toast").first();
  await Promise.all([toast.waitFor(), dialog.locator("button[type=submit]:visible").click()]);
  expect(await coveredToasts(page)).toEqual([]);
  await dialog.waitFor({ state: "detached" });
  const dossier = page.locator(".w-box");
  await until("the refund is acknowledged", async () => {
    await open(page, await page.evaluate(() => location.href));
    await dossier.locator(".w-zero").waitFor();
    return (await dossier.getByText(say("finance.kind_refund_acknowledged")).count()) > 0;
  });
  expect(await dossier.locator(".w-zero.off").count()).toBe(0);
  await scene.look("dossier-refunded");
}
