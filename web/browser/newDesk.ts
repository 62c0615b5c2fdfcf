import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { codeOf } from "./authenticator.ts";
import { open } from "./chromium.ts";
import { goTo, pick, press, type } from "./keyboard.ts";
import { patience, type Scene } from "./scene.ts";
import type { Site } from "./site.ts";
import { mailedCode } from "./staff.ts";
import { until } from "./until.ts";

/** What support, finance and administrators do at the desk's newer pages; every hand here is on the keyboard. */

/** Who works there, by the part of their address before the `@`. */
export interface Staff {
  support: string;
  boss: string;
  finance: string;
}

const WORKSPACE = "/api/v0/workspace";

const dialogOf = ({ page }: Scene): Locator => page.getByRole("dialog");

async function isTold({ page }: Scene, words: string): Promise<void> {
  await page.locator(".toast", { hasText: words }).last().waitFor();
}

async function isClosed(scene: Scene): Promise<void> {
  await dialogOf(scene).waitFor({ state: "detached" });
}

async function readJson(scene: Scene, path: string): Promise<unknown> {
  const answer = await scene.page.context().request.get(`${WORKSPACE}${path}`);
  return (await answer.json()).data;
}

/** Every bad field is named beside itself and keeps what was typed; the student's new address stands in the history. */
export async function correctsTheContact(scene: Scene, lead: string): Promise<void> {
  const { page, say } = scene;
  await open(page, `/workspace/leads/${lead}`);
  await page
    .locator(".lh")
    .getByRole("button", { name: say("support.acts") })
    .waitFor();
  await page.keyboard.press("m");
  const dialog = dialogOf(scene);
  await dialog.getByText(say("acts.correct_contact"), { exact: true }).waitFor();
  await page.keyboard.press("k");
  const email = dialog.getByLabel(say("acts.contact_email"), { exact: true });
  const phone = dialog.getByLabel(say("acts.contact_phone"), { exact: true });
  await type(page, email, "mei");
  await type(page, phone, "12");
  await type(page, dialog.locator("textarea"), "She spelt it on the phone");
  await press(page, dialog.locator("[type=submit]"));
  await dialog.getByText(say("validation.email_pattern")).waitFor();
  await expect.poll(() => dialog.getByRole("alert").count()).toBe(2);
  await expect.poll(() => email.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => phone.inputValue()).toBe("12");
  await scene.look("contact-refused");
  await type(page, email, `mei.corrected@example.org`);
  await type(page, phone, "+447700900456");
  await press(page, dialog.locator("[type=submit]"));
  await isTold(scene, say("acts.correct_contact_done"));
  await isClosed(scene);
  await page.getByText(say("timeline.lead_contact_changed")).first().waitFor();
  await scene.look("contact-corrected");
}

/** From the lead to where a student's code is typed, and back to the lead. */
export async function opensTheMirror(scene: Scene, lead: string): Promise<void> {
  const { page, say } = scene;
  await page.keyboard.press("m");
  const menu = page.getByRole("list", { name: say("acts.menu") });
  await menu.getByRole("link", { name: say("acts.mirror") }).waitFor();
  await scene.look("acts-menu");
  await page.keyboard.press("v");
  await page.getByRole("heading", { level: 1, name: say("workspace.mirror") }).waitFor();
  await type(page, page.getByLabel(say("mirror_desk.code")), "000000");
  await press(page, page.getByRole("button", { name: say("mirror_desk.begin") }));
  await page.locator(".err").waitFor();
  await scene.look("mirror-of-lead");
  await press(page, page.getByRole("link", { name: say("mirror_desk.to_lead") }));
  await page.waitForURL(new RegExp(`/workspace/leads/${lead}`));
  await page.locator(".replay.is-now").waitFor();
}

/** A note that names no colleague is refused and kept; one that does is read by the colleague, whose team is given the case. */
export async function notesAndGivesToATeam(scene: Scene, boss: Scene, lead: string, staff: Staff): Promise<void> {
  const { page, say } = scene;
  await goTo(boss, boss.say("workspace.cases"));
  for (const view of ["my_team", "mentions"] as const) {
    await press(boss.page, boss.page.locator(".tabs").getByRole("link", { name: boss.say(`desk.${view}`) }));
    await boss.page.getByText(boss.say(`desk.empty_${view}`)).waitFor();
    await boss.look(`case-${view}-empty`);
  }
  const opened = await page.context().request.post(`${WORKSPACE}/cases`, {
    headers: { "idempotency-key": crypto.randomUUID() },
    data: {
      lead_id: lead,
      topic: "booking",
      subject: "Your move-in day",
      words: "The keys are at the desk from eight.",
      channel: "email",
    },
  });
  expect(opened.status()).toBe(201);
  const caseId = (await opened.json()).data.case.case_id;
  await open(page, `/workspace/cases/${caseId}`);
  const note = page.getByLabel(say("desk.note"), { exact: true });
  const save = page.getByRole("button", { name: say("desk.note_save"), exact: true });
  await type(page, note, "@nobody she pays by cheque");
  await press(page, save);
  await page.getByText(say("refusal.mention_unknown", { name: "nobody" })).waitFor();
  await expect.poll(() => note.inputValue()).toBe("@nobody she pays by cheque");
  await scene.look("case-note-refused");
  await type(page, note, `@${staff.boss} she pays by cheque`);
  await press(page, save);
  await page.locator(".case-one", { hasText: "she pays by cheque" }).waitFor();
  await expect.poll(() => note.inputValue()).toBe("");
  await pick(page, page.getByLabel(say("desk.team"), { exact: true }), "moving in");
  await press(page, page.getByRole("button", { name: say("desk.team_give"), exact: true }));
  await page.getByRole("button", { name: say("desk.team_give"), exact: true }).waitFor({ state: "detached" });
  await scene.look("case-given");
  const mentioned = boss.page.locator(`a[href$="/workspace/cases/${caseId}"]`);
  await mentioned.waitFor();
  await boss.look("case-mentions");
  await press(boss.page, mentioned);
  await boss.page.locator(".case-one", { hasText: `@${staff.boss} she pays by cheque` }).waitFor();
}

/** A segment is saved with its alarm, carries the mark of it, and the alarm is taken off where it was set. */
export async function setsAnAlarm(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await open(page, "/workspace/segments?steps=enquired,paid");
  const name = `Paid ${scene.lang}`;
  await press(page, page.getByRole("button", { name: say("queues.save_segment") }));
  await type(page, dialogOf(scene).getByRole("textbox", { name: say("queues.name") }), name);
  await press(page, dialogOf(scene).getByLabel(say("queues.alarm")), "Space");
  await scene.look("segment-alarm");
  await press(page, dialogOf(scene).locator("[type=submit]"));
  await isClosed(scene);
  const pill = page.locator(".lead-views .pill.on", { hasText: name });
  await pill.getByText(say("support.alarm_on")).waitFor({ state: "attached" });
  await scene.look("segment-marked");
  await press(page, page.getByRole("button", { name: say("queues.change") }));
  await press(page, dialogOf(scene).getByLabel(say("queues.alarm")), "Space");
  await press(page, dialogOf(scene).locator("[type=submit]"));
  await isClosed(scene);
  await pill.getByText(say("support.alarm_on")).waitFor({ state: "detached" });
}

/** Two rewards are owed and neither is due yet. */
export async function readsRewards(scene: Scene): Promise<void> {
  const { page, say } = scene;
  await until("both rewards are owed", async () => {
    const owed = await readJson(scene, "/rewards");
    return Array.isArray(owed) && owed.length === 2;
  });
  await goTo(scene, say("workspace.books"), say("books.title"));
  const rewards = page.locator("section", { has: page.getByRole("heading", { name: say("books.rewards") }) });
  await rewards.locator(".rm-one").nth(1).waitFor();
  const note = rewards.getByRole("button", { name: say("books.reward_pay") });
  await expect.poll(() => note.first().isDisabled()).toBe(true);
  await scene.look("rewards-owed");
  await press(page, page.getByRole("link", { name: say("finance.account_referral_rewards"), exact: true }));
  await page.getByText(say("books.kind_reward_earned")).first().waitFor();
  await scene.look("rewards-account");
}

/** A refund above one's limit is asked of a second person, who finds it beside what support asks for. */
export async function decides(scene: Scene, boss: Scene, refunded: string): Promise<void> {
  const { page, say } = scene;
  await goTo(scene, say("workspace.approvals"), say("approvals.title"));
  await page.locator(".rm-one").first().waitFor();
  await scene.look("decisions-of-support");
  const ask = { booking: "cancel", reason: "plans changed" };
  const left = Number(Object(await readJson(scene, `/payments/${refunded}`)).refundable_minor);
  const asked = await page.context().request.post(`${WORKSPACE}/payments/${refunded}/refund_approvals`, {
    headers: { "idempotency-key": crypto.randomUUID() },
    data: { ...ask, amount_minor: left, typed_minor: left },
  });
  expect(asked.status()).toBe(201);
  await open(page, "/workspace/finance");
  await page.getByText(say("approvals.wait", { n: 2 })).waitFor();
  await scene.look("decisions-band");
  await press(page, page.getByRole("link", { name: say("approvals.open"), exact: true }));
  await page.getByText(say("approvals.own")).waitFor();
  await page.getByText(say("approvals.decider_finance")).waitFor();
  await scene.look("decisions");
  await press(page, page.getByRole("button", { name: say("acts.request_decline"), exact: true }));
  await type(page, dialogOf(scene).getByRole("textbox"), "The lift runs again");
  await scene.look("decisions-decline");
  await press(page, dialogOf(scene).locator("[type=submit]"));
  await isTold(scene, say("acts.request_declined"));
  await isClosed(scene);

  await goTo(boss, boss.say("workspace.approvals"), boss.say("approvals.title"));
  await boss.page.getByText(boss.say("approvals.decider_second_person")).waitFor();
  await press(boss.page, boss.page.getByRole("button", { name: boss.say("approvals.approve"), exact: true }));
  await boss.look("decisions-approve");
  await press(boss.page, dialogOf(boss).locator("[type=submit]"));
  await isTold(boss, boss.say("approvals.was_approved"));
  await isClosed(boss);
  await boss.page.getByText(boss.say("approvals.none_text")).waitFor();
  await boss.page.locator(".chip", { hasText: boss.say("approvals.was_approved") }).waitFor();
  await boss.look("decisions-none");
}

/** The refund has taken one reward back; the other is noted as paid once it is due, and the debt is gone. */
export async function paysTheReward(scene: Scene, goesOn: () => Promise<void>): Promise<void> {
  const { page, say } = scene;
  await until("the refund took a reward back", async () => {
    const owed = await readJson(scene, "/rewards");
    return Array.isArray(owed) && owed.length === 1;
  });
  await open(page, "/workspace/books");
  const rewards = page.locator("section", { has: page.getByRole("heading", { name: say("books.rewards") }) });
  await rewards.locator(".rm-one").first().waitFor();
  await expect.poll(() => rewards.locator(".rm-one").count()).toBe(1);
  await press(page, page.getByRole("link", { name: say("finance.account_referral_rewards"), exact: true }));
  await page.getByText(say("books.kind_reward_reversed")).first().waitFor();
  await scene.look("rewards-reversed");
  await goesOn();
  await open(page, "/workspace/books");
  await press(page, rewards.getByRole("button", { name: say("books.reward_pay") }));
  await dialogOf(scene).waitFor();
  await scene.look("rewards-pay");
  await press(page, dialogOf(scene).locator("[type=submit]"));
  await isTold(scene, say("books.reward_paid"));
  await isClosed(scene);
  await rewards.waitFor({ state: "detached" });
  await scene.look("rewards-paid");
  expect(await readJson(scene, "/rewards")).toEqual([]);
}

/** A person's payments by their address: refused without a whole address, found, opened, and the look stands with its reason. */
export async function findsByEmail(scene: Scene, boss: Scene, email: string): Promise<void> {
  const { page, say } = scene;
  const why = "She asks where her refund is";
  await goTo(scene, say("workspace.payment_audit"), say("finance.title"));
  await press(page, page.getByRole("button", { name: say("finance.find_person"), exact: true }));
  const dialog = dialogOf(scene);
  const address = dialog.getByLabel(say("person_search.email"));
  await dialog.getByText(say("person_search.missing")).waitFor();
  await type(page, address, "buyer");
  await type(page, dialog.getByLabel(say("person_search.reason")), why);
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").waitFor();
  await expect.poll(() => address.getAttribute("aria-invalid")).toBe("true");
  await scene.look("person-search-refused");
  await type(page, address, "else@example.com");
  await page.keyboard.press("Enter");
  await dialog.getByText(say("person_search.found", { n: 0 })).waitFor();
  await type(page, address, email.toUpperCase());
  await dialog.getByText(say("person_search.found", { n: 0 })).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await dialog.getByText(say("person_search.found", { n: 1 })).waitFor();
  await scene.look("person-search-found");
  expect(page.url()).not.toContain("example");
  await press(page, dialog.getByRole("link"));
  await dialogOf(scene).locator(".w-zero").waitFor();
  await page.keyboard.press("Escape");
  await isClosed(scene);

  await goTo(boss, boss.say("workspace.reads"), boss.say("admin.reads"));
  await boss.page.getByText(why).first().waitFor();
  await boss.page.getByText(boss.say("looks.what_payments")).first().waitFor();
  await boss.look("person-search-recorded");
}

/** A colleague's lost device is taken away after a question. */
export async function resetsADevice(scene: Scene, colleague: Scene, account: string, staff: Staff): Promise<void> {
  const { page, say } = scene;
  const { request } = colleague.page.context();
  const offered = await request.post("/api/v0/users/second_factor", { data: {} });
  const forward_seconds = 31;
  await request.post("/dev/clock", { data: { forward_seconds } });
  const mailed = await request.post("/api/v0/users/second_factor/mail_code", { data: {} });
  const [name = ""] = account.split("@");
  const asked = {
    code: codeOf((await offered.json()).data.secret, forward_seconds),
    otp: await mailedCode(request, name),
    session_uuid: (await mailed.json()).data.session_uuid,
  };
  expect((await request.post("/api/v0/users/second_factor/confirm", { data: asked })).status()).toBe(200);
  await goTo(scene, say("workspace.grants"));
  const reset = page.getByRole("button", { name: say("admin.reset_device_of", { account }) });
  await reset.waitFor();
  await scene.look("roles-with-device");
  await press(page, reset);
  await dialogOf(scene).getByText(say("admin.reset_device_text", { account })).waitFor();
  await type(
    page,
    dialogOf(scene).getByLabel(say("second_step.mail_code"), { exact: true }),
    await mailedCode(request, staff.boss),
  );
  await scene.look("device-reset");
  await press(page, dialogOf(scene).locator("[type=submit]"));
  await isTold(scene, say("admin.reset_device_done", { account }));
  await isClosed(scene);
  await reset.waitFor({ state: "detached" });
}

/** A setting that the command line changed shows it; a value out of bounds is refused and stays; the change is taken back. */
export async function changesASetting(scene: Scene, site: Site): Promise<void> {
  const { page, say } = scene;
  await site.run("set", "stuck_minutes", "45");
  await goTo(scene, say("workspace.settings"), say("admin.settings"));
  const one = page.getByRole("article", { name: say("admin.setting_stuck_minutes"), exact: true });
  const value = one.getByRole("textbox");
  await until("the page shows the value of the command", async () => {
    await open(page, "/workspace/settings");
    await value.waitFor();
    return (await value.inputValue()) === "45";
  });
  await one.getByText(say("workspace.grants_by_command")).first().waitFor();
  await type(page, value, "0");
  await page.keyboard.press("Enter");
  await one.getByRole("alert").waitFor();
  await expect.poll(() => value.inputValue()).toBe("0");
  await press(page, one.locator("summary"));
  await one.scrollIntoViewIfNeeded();
  await scene.look("setting-refused");
  await press(page, one.getByRole("button", { name: say("admin.give_back", { value: "60" }), exact: true }));
  await one.getByText(say("admin.source_default")).first().waitFor({ timeout: patience });
  await expect.poll(() => value.inputValue()).toBe("60");
  await scene.look("setting-given-back");
}
