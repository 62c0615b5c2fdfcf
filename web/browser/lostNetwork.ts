import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { MessageKey } from "../src/i18n/keys.ts";
import { open } from "./chromium.ts";
import type { Network } from "./network.ts";
import { payButton, standsAt } from "./payer.ts";
import { type Finding, patience, type Scene } from "./scene.ts";
import { answer, answersTo, chooseStay, LEFT, nextSection, openHome, type Student } from "./student.ts";

/** The network is lost and comes back at each step from the search to the receipt. */

/** What differs between the gateways. */
export interface Payer {
  /** Fills in a card that its bank asks about, and presses Pay. */
  pay: () => Promise<void>;
  /** Pay, pressed once more where the form kept the card. */
  payAgain: () => Promise<void>;
  /** The request that brings the card, or the bank's answer, to the gateway. */
  confirmation: RegExp;
  /** Until the bank asks, after whatever press leads back to its question. */
  untilBankAsks: () => Promise<void>;
  confirmAtBank: () => Promise<void>;
  /** What the page says when the bank's answer is lost. */
  bankIsLost: MessageKey;
}

/** From the search to the receipt; answers the payment's token. */
export async function loseAtEachStep(scene: Scene, network: Network, student: Student, payer: Payer): Promise<string> {
  await search(scene, network);
  await enquire(scene, network, student);
  await fillForm(scene, network, student);
  await scene.page.waitForURL(/\/payments\/[^/]+$/);
  await standsAt(scene.page, "initiated");
  const token = new URL(scene.page.url()).pathname.split("/").at(-1) ?? "";
  await pay(scene, network, payer);
  await readReceipt(scene, network);
  return token;
}

/** The page says that it could not be loaded; the word is closed by hand. */
async function notLoaded({ page, say }: Scene): Promise<void> {
  const told = page.locator(".toast", { hasText: say("start.offline") });
  await told.first().waitFor();
  while ((await told.count()) > 0)
    await told
      .first()
      .getByRole("button", { name: say("ui.dismiss") })
      .click();
}

async function search(scene: Scene, network: Network): Promise<void> {
  const { page, say } = scene;
  await open(page, "/");
  const typed = "university college lon";
  const box = page.getByRole("combobox").first();
  await network.cut();
  await box.fill(typed);
  await page.getByText(say("shell.places_failed")).waitFor();
  await scene.look("lost-suggestions");
  await expect.poll(() => box.inputValue()).toBe(typed);
  await network.restore();
  await box.press("Enter");
  await page.waitForURL(/\/places\/search\//);
  await page.locator(".pcard").first().waitFor();

  const list = page.url();
  await network.cut();
  await page.locator(".pcard:not(.sold) h2 a").first().click();
  await notLoaded(scene);
  expect(page.url()).toBe(list);
  await network.restore();
  await openHome(scene);
  await expect.poll(() => stylesMissing(page)).toEqual([]);
}

/** Style sheets that the page asked for and does not have. */
function stylesMissing(page: Page): Promise<string[]> {
  return page.locator("link[rel=stylesheet]").evaluateAll((links) => {
    const hasRules = (link: HTMLLinkElement) => {
      try {
        return (link.sheet?.cssRules.length ?? 0) > 0;
      } catch {
        // The rules of a sheet that did not come are another origin's.
        return false;
      }
    };
    return links.flatMap((link) => (link instanceof HTMLLinkElement && !hasRules(link) ? [link.href] : []));
  });
}

async function enquire(scene: Scene, network: Network, { name, email, phone }: Student): Promise<void> {
  const { page, say } = scene;
  const ask = page
    .getByRole("button", { name: say(scene.narrow ? "property.ask" : "property.enquire_now"), exact: true })
    .locator("visible=true")
    .last();
  await network.cut();
  await ask.click();
  await notLoaded(scene);
  await network.restore();
  await ask.click();
  const dialog = page.locator("dialog.modal-dialog");
  const named = dialog.getByLabel(say("lead.name"), { exact: true });
  await named.fill(name);
  await dialog.getByLabel(say("lead.email"), { exact: true }).fill(email);
  await dialog.locator("select[name=phone_code]").selectOption("GB");
  await dialog.locator("#lead-phone").fill(phone);
  if (scene.narrow) await dialog.locator("textarea").fill("Is there a bike store?");
  await network.cut();
  await dialog.locator(".dialog-foot button[type=submit]").click();
  await dialog.getByText(say("lead.offline")).waitFor();
  await scene.look("lost-enquiry");
  await expect.poll(() => named.inputValue()).toBe(name);
  await network.restore();
  await dialog.getByRole("button", { name: say("lead.try_again"), exact: true }).click();
  if (!scene.narrow) await saveMore(scene, network);
  await dialog.locator(".ref").first().waitFor();
  await expect.poll(() => stylesMissing(page)).toEqual([]);

  const goOn = dialog.getByRole("button", { name: say("lead.continue_book"), exact: true });
  await network.cut();
  await goOn.click();
  await notLoaded(scene);
  await scene.look("lost-continue");
  await network.restore();
  await goOn.click();
  await page.waitForURL(/\/form/);
}

/** Page 2, which a question has not. */
async function saveMore({ page, say }: Scene, network: Network): Promise<void> {
  const dialog = page.locator("dialog.modal-dialog");
  const university = dialog.locator("#lead-university");
  await university.fill("University College London");
  const save = dialog.getByRole("button", { name: say("lead.save_continue"), exact: true });
  await network.cut();
  await save.click();
  await dialog.getByText(say("lead.save_failed")).waitFor();
  await expect.poll(() => university.inputValue()).toBe("University College London");
  await network.restore();
  await save.click();
}

async function fillForm(scene: Scene, network: Network, student: Student): Promise<void> {
  const { page, say } = scene;
  await page.locator("[data-booking] main:not([aria-busy]) h1").waitFor();
  await network.cut();
  await chooseStay(scene, student.stay);
  await page.getByText(say("booking.start_failed")).waitFor();
  await scene.look("lost-room");
  await network.restore();
  await page.locator(".flow-foot button[type=submit]").click();
  let sections = 0;
  for (let name = await nextSection(scene, null); name !== LEFT; name = await nextSection(scene, name)) {
    sections += 1;
    await fillSection(scene, network, student, sections);
  }
}

async function fillSection(scene: Scene, network: Network, student: Student, at: number): Promise<void> {
  const { page, say } = scene;
  const onward = page.locator(".flow-foot button[type=submit]");
  const answers = answersTo(scene, student, at);
  await network.cut();
  await answer(scene, answers);
  await page.locator(".saved-kept").waitFor();
  await onward.click();
  await page.getByText(say("booking.section_failed")).waitFor();
  await scene.look(`lost-form-${at}`);
  const typed = await page.locator("main [name]").evaluateAll(valuesOf);
  expect(typed).toContain(answers["full_name"]);
  await network.restore();
  await page.locator(".saved:not(.saved-kept, .saved-moving)").waitFor();
  await expect.poll(() => page.locator("main [name]").evaluateAll(valuesOf)).toEqual(typed);
  await onward.click();
}

const valuesOf = (controls: Element[]) =>
  controls.map((one) => (one instanceof HTMLInputElement || one instanceof HTMLSelectElement ? one.value : ""));

async function pay(scene: Scene, network: Network, payer: Payer): Promise<void> {
  const { page } = scene;
  await payButton(page).waitFor();
  await network.cut();
  await payer.pay();
  await cutOffAtPayment(scene, "lost-before-paying", "payment.unreachable_text");
  await network.restore();
  // By itself: the payment is read again until the server answers.
  await standsAt(page, "initiated");
  await payButton(page).waitFor();

  await network.loseAnswerOf(payer.confirmation);
  await payer.payAgain();
  await cutOffAtPayment(scene, "lost-answer", "payment.unreachable_text");
  await network.restore();
  await payer.untilBankAsks();

  await network.cut();
  await payer.confirmAtBank();
  await cutOffAtPayment(scene, "lost-bank", payer.bankIsLost);
  await network.restore();
  await payer.untilBankAsks();
  await network.loseAnswerOf(payer.confirmation);
  await payer.confirmAtBank();
  await network.restoreOnceLost();
  await standsAt(page, "success");
}

/** The payment's page says that the network is lost and that nothing is paid twice; a button offers another try. */
async function cutOffAtPayment(scene: Scene, picture: string, words: MessageKey): Promise<void> {
  const { page, say } = scene;
  await page.getByText(say(words)).waitFor();
  await page.locator("main .btn-primary").first().waitFor();
  await scene.look(picture);
}

async function readReceipt(scene: Scene, network: Network): Promise<void> {
  const { page, say } = scene;
  await page.getByRole("heading", { name: say("payment.success_title") }).waitFor();
  const bookings = page.getByRole("link", { name: say("payment.view_bookings"), exact: true });
  const receipt = page.getByRole("link", { name: say("payment.open_receipt"), exact: true });
  await network.cut();
  await receipt.click();
  await notLoaded(scene);
  await page.getByRole("heading", { name: say("payment.success_title") }).waitFor();
  await network.restore();
  await bookings.waitFor();
  await receipt.click();
  await page.waitForURL(/\/receipt/, { timeout: patience });
}

/** What a lost network writes to the console is no fault of the page. */
export function isAmiss({ complaints, ...look }: Finding): boolean {
  const faults = [look.axe, look.wider, look.bare, look.outside, look.uneven].flat();
  return faults.length > 0 || complaints.some((line) => !/net::ERR_INTERNET_DISCONNECTED|^PartMissing/.test(line));
}
