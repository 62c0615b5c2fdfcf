import { expect, test } from "vitest";
import { bookARoom } from "./booking.ts";
import { desktop, open, phone } from "./chromium.ts";
import { comeToWork } from "./desk.ts";
import { logIn } from "./logIn.ts";
import { enter } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn } from "./stagings.ts";
import { until } from "./until.ts";

/** Links into a form and out of it: prefilled values, the reminder's button, and what a logout leaves on a device. */

const site = openSite();

for (const { screen, lang } of chooseStagings([desktopEn])) {
  test(`a prefilled link leaves the address bar, ${screen.width} px`, async () => {
    const stage = site.stage(screen, lang);
    const scene = await enter(stage);
    const { page } = scene;
    const home = (await site.market.homes("london", 8)).find(({ bookable }) => bookable);
    if (!home) throw new Error("no home can be booked");
    const stay = home.room_types.flatMap(({ options }) => options).find(({ rooms_left }) => rooms_left > 0);
    if (!stay) throw new Error("no stay is open");
    const asked = new URLSearchParams({
      inventory_id: stay.inventory_id,
      university: "Imperial College",
      lease_duration: `${stay.lease_duration} ${stay.lease_duration_unit}`,
      move_in_date: stay.move_in_date,
      email: `link.${lang}@example.org`,
      "phone[first]": "GB +44",
      "phone[last]": "7700900123",
      "fullName[first]": "Maya<b>",
      "fullName[last]": "O'Neil",
      bookform_source: "spring_mail",
    });
    const sent: string[] = [];
    page.on("request", (request) => {
      const from = `${request.url()} ${request.headers().referer ?? ""}`;
      if (request.resourceType() !== "document" && /example\.org|7700900123|O'Neil|O%27Neil/.test(from))
        sent.push(from);
      if (request.method() === "POST") sent.push(`${request.method()} ${request.url()}`);
    });
    await open(page, `/places/${home.canonical_name}/form?${asked}`);
    await page.locator("main input[autocomplete=name]").first().waitFor();
    await expect.poll(() => page.locator("main input[autocomplete=name]").first().inputValue()).toBe("Maya<b> O'Neil");
    await expect
      .poll(() => page.locator("main input[autocomplete=email]").first().inputValue())
      .toBe(`link.${lang}@example.org`);
    await expect.poll(() => page.locator("#booker-phone").inputValue()).toBe("7700900123");
    await expect.poll(() => page.locator("main input[type=radio]:checked").count()).toBeGreaterThan(0);
    await page.waitForURL(({ search }) => !/email|phone|fullName|example/.test(search));
    expect(new URL(page.url()).search).toContain("bookform_source=spring_mail");
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toMatch(/example\.org|7700900123|O'Neil/);
    await scene.look("form-prefilled");
    // Nothing of it was sent: the reader presses first.
    expect(sent).toEqual([]);
    await page.locator("main input[autocomplete=name]").first().fill("Maya O'Neil");
    await page.locator(".flow-foot button[type=submit]").click();
    await page.locator(".substep.now").waitFor();
    await expect.poll(() => page.locator('main [name="university"]').inputValue()).toBe("Imperial College");
    await scene.leave();
  });
}

test("a form opens by id and by the room's name as by the home's", async () => {
  const home = (await site.market.homes("london", 8)).find(({ bookable }) => bookable);
  const room = home?.room_types.flatMap(({ options }) => options)[0];
  if (!home || !room) throw new Error("no home can be booked");
  const scene = await enter(site.stage(desktop, "en"));
  const names: (string | null)[] = [];
  for (const key of [home.canonical_name, home.id, room.inventory_id]) {
    await open(scene.page, `/places/${key}/form`);
    await scene.page.locator("main input[autocomplete=name]").first().waitFor();
    names.push(await scene.page.locator('link[rel="canonical"]').getAttribute("href"));
  }
  expect(new Set(names).size).toBe(1);
  await scene.leave();
});

test("drafts leave the device with the logout", async () => {
  const scene = await enter(site.stage(desktop, "en"));
  const { page, say } = scene;
  const stay = await site.market.stay();
  const { uuid, email } = await site.market.lead(stay);
  const booking_form = { lead_uuid: uuid, inventory_id: stay.inventory_id };
  await site.market.call("POST", "/api/v0/booking_forms", { booking_form });
  await open(page, "/?login=1");
  await logIn(scene, email);
  await open(page, `/places/${stay.home}/form?lead_uuid=${uuid}`);
  await page.locator(".substep.now").waitFor();
  await page.context().setOffline(true);
  await page.locator('main [name="city"]').fill("Secret Town");
  const drafts = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(drafts).toContain("Secret Town");
  await page.evaluate(() => localStorage.setItem("lead_form_part_one", '{"user_details/name":"Secret Name"}'));
  // The tab is closed without a network; what is kept waits for its owner.
  const later = await page.context().newPage();
  await page.close();
  await later.context().setOffline(false);
  await open(later, "/profile");
  await later
    .getByRole("button", { name: say("profile.log_out"), exact: true })
    .first()
    .click();
  await later.getByText(say("profile.logged_out")).waitFor();
  const left = await later.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(left).not.toMatch(/Secret|latchkey\.form|drafts_of/);
  await scene.leave();
});

test("a reminder's button ends reminders in a browser", async () => {
  const scene = await enter(site.stage(phone, "en"));
  const { page } = scene;
  const stay = await site.market.stay();
  const { uuid, email } = await site.market.lead(stay);
  const booking_form = { lead_uuid: uuid, inventory_id: stay.inventory_id };
  await site.market.call("POST", "/api/v0/booking_forms", { booking_form });
  await site.market.call("POST", "/dev/clock", { forward_seconds: 25 * 3_600 });
  let link = "";
  await until("the reminder came", async () => {
    const mails = await site.market.call<{ body: string }[]>("GET", `/dev/outbox?to=${encodeURIComponent(email)}`);
    link = mails.map(({ body }) => /\/unsubscribe\/[0-9a-f-]+/.exec(body)?.[0] ?? "").find((one) => one !== "") ?? "";
    return link !== "";
  });
  await page.goto(new URL(link, site.url).href);
  await scene.look("unsubscribe-asks");
  await page.getByRole("button", { name: "Switch reminders off" }).click();
  await page.getByRole("heading", { name: "Reminders are off" }).waitFor();
  await scene.look("unsubscribe-done");
  await scene.leave();
});

test("support opens a document once, and the student sees it", async () => {
  const email = "papers@example.org";
  const { reference } = await bookARoom(site.url, email);
  const student = await enter(site.stage(phone, "en"));
  await open(student.page, "/?login=1");
  await logIn(student, email);
  const scene = await enter(site.stage(desktop, "en"));
  const { page, say, like } = scene;
  await site.run("grant", "--email", "papers@staff.example", "--role", "support");
  await comeToWork(scene, "papers@staff.example", "leads");
  const found = await page.context().request.get(`/api/v0/workspace/leads?q=${encodeURIComponent(email)}`);
  const lead = (await found.json()).data.result[0].lead_id;

  await open(student.page, "/profile/leads");
  const card = student.page.locator(`article[data-lead="${reference}"]`);
  await card.getByRole("link", { name: student.say("profile.action_add_documents") }).click();
  const picker = student.page.locator("main input[type=file][name=identity_file]");
  const buffer = Buffer.from("%PDF-1.7 a passport startxref 9 %%EOF");
  await picker.setInputFiles({ name: "Pass Mei.pdf", mimeType: "application/pdf", buffer });
  await student.page.getByRole("link", { name: "Pass Mei.pdf" }).waitFor();
  await student.page.locator(".saved:not(.saved-moving)").waitFor();

  await open(page, `/workspace/leads/${lead}`);
  await page.getByRole("button", { name: say("support.form_open") }).click();
  const dialog = page.locator(".w-box");
  await dialog.getByLabel(say("lead_form.why")).fill("The provider wants the passport");
  await scene.look("lead-form-why");
  await dialog.getByRole("button", { name: say("lead_form.show"), exact: true }).click();
  const item = dialog.locator("[data-document]").first();
  await item.waitFor();
  const passport = dialog.getByRole("row").filter({ hasText: say("lead_form.field_identity_file") });
  await passport.getByText("Pass Mei.pdf").waitFor();
  await scene.look("lead-form");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    item.getByRole("button", { name: say("lead_form.open_document"), exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Pass Mei.pdf");
  await item.getByText(like("lead_form.opened_staff")).waitFor();
  await scene.look("lead-form-opened");
  await student.page.reload();
  await student.page.getByText(like("form_sync.file_opened_staff")).first().waitFor();
  await student.look("document-opened");
  await Promise.all([scene.leave(), student.leave()]);
});
