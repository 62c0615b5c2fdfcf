import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { choose, goTo, pick, press, reach, search, type } from "./keyboard.ts";
import { patience, type Scene } from "./scene.ts";

/** What a support agent does in a day; every hand here is on the keyboard. */

/** The leads of one morning, by reference. */
export interface Morning {
  /** Tells the leads of one telling from those of another. */
  at: string;
  booked: string;
  wish: string;
  held: string;
  kept: string;
  double: string;
  idle: readonly string[];
}

const dialogOf = ({ page }: Scene): Locator => page.getByRole("dialog");

/** A toast that says it was done; the next may come before it has gone. */
async function isTold({ page, say }: Scene, key: string): Promise<void> {
  await page
    .locator(".toast", { hasText: say(key) })
    .last()
    .waitFor();
}

/** Searches the list for one lead and opens it by J and Enter. */
async function openLead(scene: Scene, words: string, reference = words): Promise<void> {
  const { page, say } = scene;
  if (!page.url().includes("/workspace/leads?") && !page.url().endsWith("/workspace/leads"))
    await goTo(scene, say("workspace.leads"));
  await search(page, "lead-search", words);
  await page.getByRole("link", { name: say("support.open_lead", { reference }) }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".leads tbody tr").length === 1);
  await page.keyboard.press("j");
  await page.locator(".leads tbody tr[aria-selected=true]").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".replay.is-now").waitFor();
  await page.getByText(reference).first().waitFor();
}

/** Keys of the menu. */
const keys = {
  write: "r",
  payment_link: "p",
  ask_refund: "f",
  change_stay: "d",
  send_enquiry: "s",
  extend_hold: "h",
  mark_double: "m",
  close: "c",
  reopen: "o",
} as const;

/** Opens an act of the lead by its key in the menu, once the menu offers it. */
async function chooseAct(scene: Scene, act: keyof typeof keys): Promise<Locator> {
  const { page, say } = scene;
  await page
    .locator(".lh")
    .getByRole("button", { name: say("support.acts") })
    .waitFor();
  await page.keyboard.press("m");
  await page
    .getByRole("list", { name: say("acts.menu") })
    .getByText(say(`acts.${act}`), { exact: true })
    .waitFor();
  await page.keyboard.press(keys[act]);
  return dialogOf(scene);
}

/** Writes why, sends the act, and waits until the server took it. */
async function doAct(scene: Scene, act: string, why: string): Promise<void> {
  const dialog = dialogOf(scene);
  if (why !== "") await type(scene.page, dialog.locator("textarea"), why);
  await press(scene.page, dialog.locator("[type=submit]"));
  await isTold(scene, `acts.${act}_done`);
  await dialog.waitFor({ state: "detached" });
}

/** By the telephone's number first, then by the reference; the value's causes are read from the list. */
export async function findsTheLead(scene: Scene, { booked }: Morning): Promise<void> {
  const { page, say } = scene;
  await page.locator(".leads tbody tr").first().waitFor();
  await scene.look("day-leads");
  await search(page, "lead-search", "+447700900214");
  await page.getByRole("link", { name: say("support.open_lead", { reference: booked }) }).waitFor();
  await scene.look("day-found-by-phone");
  await search(page, "lead-search", booked);
  await page.waitForFunction(() => document.querySelectorAll(".leads tbody tr").length === 1);
  await page.keyboard.press("j");
  await page.keyboard.press("w");
  const why = dialogOf(scene);
  await why.locator(".why-list li").first().waitFor();
  await scene.look("day-why-status");
  await pick(page, why.getByRole("combobox"), "property");
  await why.locator(".why-list li").first().waitFor();
  await page.keyboard.press("Escape");
  await why.waitFor({ state: "detached" });
  await openLead(scene, booked);
}

/** The story, the first event, on through the history, a value's causes, the event as stored, and back to now. */
export async function replaysTheLead(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await press(page, page.locator(".story summary"));
  await page.locator(".story[open] p").waitFor();
  await scene.look("day-lead");
  await page.keyboard.press("Home");
  await page.locator("main.is-past").waitFor();
  await page.keyboard.press("PageDown");
  await scene.look("day-lead-earlier");
  if (!scene.narrow) {
    await page.keyboard.press("w");
    await page.locator(".pop.why").waitFor();
    await scene.look("day-lead-why");
    await page.keyboard.press("Escape");
    await page.locator(".pop.why").waitFor({ state: "detached" });
  }
  await page.keyboard.press("r");
  await page.getByRole("heading", { name: say("support.payload") }).waitFor();
  await scene.look("day-lead-raw");
  await page.keyboard.press("Escape");
  await dialogOf(scene).waitFor({ state: "detached" });
  await page.keyboard.press("End");
  await page.locator("main.is-now").waitFor();
}

/** Whose lead it is, for a reason that becomes an event. */
export async function revealsWho(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await page.keyboard.press("e");
  const dialog = dialogOf(scene);
  await choose(page, dialog.getByRole("radio"), dialog.getByRole("radio", { name: say("support.reason_identity") }));
  await scene.look("day-reveal");
  await press(page, dialog.getByRole("button", { name: say("support.reveal_show") }));
  await page.locator(".who-h h1", { hasText: "Mei Ling Chen" }).waitFor();
  await dialog.waitFor({ state: "detached" });
}

export async function takesTheLead(scene: Scene): Promise<void> {
  await scene.page.keyboard.press("a");
  await isTold(scene, "support.taken");
}

/** A note that calls a colleague; its words stand in the history. */
export async function mentionsAColleague(scene: Scene, handle: string): Promise<void> {
  const { page } = scene;
  await page.keyboard.press("n");
  const dialog = dialogOf(scene);
  await dialog.getByText(`@${handle}`).waitFor();
  await type(page, dialog.locator("textarea"), `@${handle} She asks for a quiet floor.`);
  await scene.look("day-note");
  await doAct(scene, "note", "");
  await page.locator(".note-words", { hasText: "She asks for a quiet floor." }).waitFor();
  await scene.look("day-noted");
}

/** A message begun with a template, answered once more in the conversation, which is then taken and closed. */
export async function answersWithATemplate(scene: Scene): Promise<void> {
  const { page, say } = scene;
  const dialog = await chooseAct(scene, "write");
  const template = dialog.getByLabel(say("desk.template"));
  await template.locator("option").nth(1).waitFor({ state: "attached" });
  await pick(page, template, "documents");
  await expect.poll(() => dialog.locator("textarea").inputValue(), { timeout: patience }).not.toBe("");
  await scene.look("day-write");
  await press(page, dialog.locator("[type=submit]"));
  await page.waitForURL(/\/workspace\/cases\/.+/);
  await page.locator(".case-one").first().waitFor();
  await scene.look("day-conversation");
  await type(page, page.getByLabel(say("desk.answer")), "A copy of the passport is enough.");
  await press(page, page.getByRole("button", { name: say("desk.send"), exact: true }));
  await page.locator(".case-one").nth(1).waitFor();
  await type(page, page.getByLabel(say("desk.note")), "Documents were asked for.");
  await press(page, page.getByRole("button", { name: say("desk.note_save"), exact: true }));
  await isTold(scene, "desk.note_saved");
  await press(page, page.getByRole("button", { name: say("desk.close"), exact: true }));
  await page.getByRole("button", { name: say("desk.reopen"), exact: true }).waitFor();
}

/** A payment link and a request for a refund, on the lead that is booked. */
export async function paysAttentionToMoney(scene: Scene, { booked }: Morning): Promise<void> {
  const { page, say, like } = scene;
  await openLead(scene, booked);
  const links = await chooseAct(scene, "payment_link");
  await type(page, links.getByLabel(like("links.amount")), "120");
  await type(page, links.getByLabel(say("links.reason")), "Second instalment, agreed by phone");
  await scene.look("day-payment-link");
  await press(page, links.locator("[type=submit]"));
  await links.locator("[data-link=open]").waitFor();
  await page.keyboard.press("Escape");
  await links.waitFor({ state: "detached" });
  const refund = await chooseAct(scene, "ask_refund");
  await type(page, refund.getByLabel(like("acts.amount")), "20");
  await type(page, refund.locator("textarea"), "The lift was out of order for a week");
  await scene.look("day-ask-refund");
  await doAct(scene, "ask_refund", "");
}

/** Other dates, and the confirmation once more. */
export async function changesTheStay(scene: Scene, { wish }: Morning): Promise<void> {
  const { say } = scene;
  await openLead(scene, wish);
  const dialog = await chooseAct(scene, "change_stay");
  const stays = dialog.getByLabel(say("acts.stay_new"));
  await stays.waitFor();
  await scene.look("day-change-dates");
  const before = await stays.inputValue();
  const offered = await stays.locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value") ?? ""));
  await stays.selectOption(offered.find((stay) => stay !== "" && stay !== before) ?? before);
  await doAct(scene, "change_stay", "She asked by phone");
  await chooseAct(scene, "send_enquiry");
  await doAct(scene, "send_enquiry", "She found no mail");
}

export async function extendsTheHold(scene: Scene, { held }: Morning): Promise<void> {
  await openLead(scene, held);
  await chooseAct(scene, "extend_hold");
  await scene.look("day-extend-hold");
  await doAct(scene, "extend_hold", "Her bank needs an hour");
}

/** One enquiry points to the other of the same person. */
export async function marksADouble(scene: Scene, { double }: Morning): Promise<void> {
  const { page } = scene;
  await openLead(scene, double);
  const dialog = await chooseAct(scene, "mark_double");
  await dialog.locator("select").waitFor();
  await scene.look("day-double");
  await doAct(scene, "mark_double", "The same person asked twice");
  await page.locator(".referral").waitFor();
  await scene.look("day-is-double");
}

export async function closesAndOpens(scene: Scene, { wish }: Morning): Promise<void> {
  const { page, say } = scene;
  await openLead(scene, wish);
  const dialog = await chooseAct(scene, "close");
  await pick(page, dialog.getByLabel(say("acts.cause"), { exact: true }), "booked_elsewhere");
  await scene.look("day-close");
  await doAct(scene, "close", "");
  await chooseAct(scene, "reopen");
  await doAct(scene, "reopen", "");
}

/** Two leads are chosen by X, noted and closed at once; the closing is taken back and done again. */
export async function closesSeveral(scene: Scene, { idle }: Morning): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.leads"));
  await page.locator(".leads tbody tr").first().waitFor();
  for (const reference of idle) {
    const box = page.getByRole("checkbox", { name: say("support.choose_lead", { reference }) });
    await press(page, box, "Space");
  }
  const bar = page.getByRole("region", { name: say("acts.bulk") });
  const done = bar.getByText(say("acts.bulk_done", { n: 2, all: 2 }));
  const go = bar.getByRole("button", { name: say("acts.bulk_go", { n: 2 }) });
  await press(page, go);
  await done.waitFor();
  await pick(page, bar.getByLabel(say("acts.bulk_act"), { exact: true }), "note");
  await type(page, bar.getByLabel(say("acts.note_words"), { exact: true }), "Called three times");
  await press(page, go);
  await bar.getByRole("button", { name: say("acts.undo") }).waitFor({ state: "detached" });
  await done.waitFor();
  await pick(page, bar.getByLabel(say("acts.bulk_act"), { exact: true }), "close");
  await pick(page, bar.getByLabel(say("acts.cause"), { exact: true }), "no_answer");
  await press(page, go);
  await bar.getByRole("button", { name: say("acts.undo") }).waitFor();
  await scene.look("day-bulk");
  await press(page, bar.getByRole("button", { name: say("acts.undo") }));
  await done.waitFor({ state: "detached" });
  await press(page, bar.getByRole("button", { name: say("acts.bulk_clear") }));
  await bar.waitFor({ state: "detached" });
}

/** Filters are kept under a name. */
export async function savesAView(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await press(page, page.getByRole("button", { name: say("queues.filters"), exact: true }));
  const panel = page.locator(".filter-panel");
  await press(page, panel.getByRole("checkbox", { name: say("queues.only_mine") }), "Space");
  await scene.look("day-filters");
  await press(page, panel.getByRole("button", { name: say("queues.apply"), exact: true }));
  await page.waitForURL(/owner=me/);
  await press(page, page.getByRole("button", { name: say("queues.save") }));
  await type(page, dialogOf(scene).getByRole("textbox", { name: say("queues.name") }), `Mine ${scene.lang}`);
  await scene.look("day-save-view");
  await page.keyboard.press("Enter");
  await page.locator(".lead-views .pill.on", { hasText: `Mine ${scene.lang}` }).waitFor();
}

/** The list as it was: by the play head to the very beginning, and back by Escape. */
export async function looksBack(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.leads"));
  const rows = page.locator(".leads tbody tr");
  await rows.first().waitFor();
  await page.keyboard.press("h");
  const bar = page.locator(".past-all");
  await bar.waitFor();
  await reach(page, bar.getByRole("slider"));
  for (let steps = 0; steps < 3; steps++) await page.keyboard.press("ArrowLeft");
  // A state that was not read before is folded first.
  await page
    .locator(".leads:not([aria-busy]) tbody tr")
    .first()
    .waitFor({ timeout: 2 * patience });
  await scene.look("day-earlier");
  // The address keeps the moment: a reload and a colleague with the link see the same.
  expect(new URL(page.url()).searchParams.get("as_of")).toMatch(/^\d+$/);
  await page.keyboard.press("Home");
  await page.getByText(say("support.empty_title")).waitFor();
  await page.locator(".lead-views .pill b", { hasText: /[1-9]/ }).first().waitFor({ state: "detached" });
  await scene.look("day-before-everything");
  await press(page, bar.getByRole("button", { name: say("support.back_to_now") }));
  await bar.waitFor({ state: "detached" });
  await rows.first().waitFor();
}

/** The report and its file, and leads by what happened to them. */
export async function reportsAndSegments(scene: Scene, { booked }: Morning): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.report"), say("report.title"));
  await page.locator(".report .rep").first().waitFor();
  await scene.look("day-report");
  const csv = page.getByRole("link", { name: say("report.csv") });
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, csv)]);
  expect((await readFile(await file.path(), "utf8")).split("\n").length).toBeGreaterThan(2);
  await goTo(scene, say("workspace.segments"));
  const steps = page.getByRole("combobox");
  await pick(page, steps.first(), "declined");
  await press(page, page.getByRole("button", { name: say("queues.add_step") }));
  await steps.nth(1).waitFor();
  await pick(page, steps.nth(1), "paid");
  await press(page, page.getByRole("button", { name: say("queues.find") }));
  await page.getByText(booked).first().waitFor();
  await scene.look("day-segment");
}

/** Who waits, who wrote, every key, and the command list. */
export async function looksAround(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.cases"));
  await scene.look("day-conversations");
  await goTo(scene, say("waitlists.title"));
  await scene.look("day-waitlists");
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: say("workspace.keys_title") }).waitFor();
  await scene.look("day-keys");
  await page.keyboard.press("Escape");
  await dialogOf(scene).waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.locator(".pal [role=option]").first().waitFor();
  await scene.look("day-command-list");
  await page.keyboard.press("Escape");
}
