import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desktop, open, phone } from "./chromium.ts";
import { logIn } from "./logIn.ts";
import { Marketplace, type Stay, wishFor } from "./marketplace.ts";
import type { Scene } from "./scene.ts";
import { openSite, startServer } from "./site.ts";
import { chooseStagings, phoneZh } from "./stagings.ts";

/** Each kind of enquiry from the button that opens it to its confirmation (row C2; Spec §2, D26, D27). */

const site = openSite();
let people = 0;

/** How one kind is opened and what becomes of its lead. */
interface Kind {
  variant: string;
  state: "enquired" | "waitlisted";
  /** Page 2 comes before the confirmation, or leads on to the booking form. */
  continues: boolean | "to the form";
  screen?: typeof phone;
  openIt: (scene: Scene) => Promise<void>;
}

async function firstHome(city: string, available = true): Promise<string> {
  const path = `/api/v1/inventories?region_canonical_name=${city}&limit=100&available=${available}`;
  const found = await site.market.call<{ result: { canonical_name: string }[] }>("GET", path);
  for (const { canonical_name } of found.result) {
    const home = await site.market.home(canonical_name);
    if (home.available === available && (home.bookable || !available)) return `/places/${canonical_name}`;
  }
  throw new Error(`no home of ${city} is like that`);
}

const press = async ({ page, say }: Scene, key: string) =>
  page
    .getByRole("button", { name: say(key), exact: true })
    .locator("visible=true")
    .first()
    .click();

const kinds: Kind[] = [
  {
    variant: "enquire",
    state: "enquired",
    continues: true,
    openIt: async (scene) => {
      await open(scene.page, await firstHome("london"));
      await press(scene, "property.enquire_now");
    },
  },
  {
    variant: "book_now",
    state: "enquired",
    continues: "to the form",
    openIt: async (scene) => {
      await open(scene.page, await firstHome("london"));
      await press(scene, "property.book");
    },
  },
  {
    variant: "apply_now",
    state: "enquired",
    continues: "to the form",
    openIt: async (scene) => {
      await open(scene.page, await firstHome("new-york"));
      await press(scene, "property.apply_now");
    },
  },
  {
    variant: "join_waitlist",
    state: "waitlisted",
    continues: false,
    openIt: async (scene) => {
      await open(scene.page, await firstHome("london", false));
      await press(scene, "property.join_waitlist");
    },
  },
  {
    variant: "contact_us",
    state: "enquired",
    continues: true,
    openIt: async (scene) => {
      await open(scene.page, await firstHome("london"));
      await scene.page.locator(".bk-grid select").first().selectOption("other");
      await press(scene, "property.contact_us");
    },
  },
  {
    variant: "ask_question_faq_cta",
    state: "enquired",
    continues: false,
    screen: phone,
    openIt: async (scene) => {
      await open(scene.page, await firstHome("london"));
      await press(scene, "property.ask");
      await scene.page.locator("dialog.modal-dialog textarea").fill("Is there a bike store?");
    },
  },
  {
    variant: "get_help",
    state: "enquired",
    continues: false,
    openIt: async (scene) => {
      await open(scene.page, "/");
      await press(scene, "shell.help");
    },
  },
  {
    variant: "generic_form",
    state: "enquired",
    continues: false,
    openIt: async (scene) => {
      await open(scene.page, "/places/search/london?budget=1-2");
      await press(scene, "search.ask");
    },
  },
];

async function fillIn(scene: Scene): Promise<void> {
  people += 1;
  const dialog = scene.page.locator("dialog.modal-dialog");
  await dialog.locator("input[name=name]").fill("Maya Ramos");
  await dialog.locator("input[name=email]").fill(`asker${people}@example.org`);
  await dialog.locator("select[name=phone_code]").selectOption("ES");
  await dialog.locator("input[name=phone]").fill("612 345 678");
}

for (const { variant, state, continues, openIt, screen = desktop } of kinds) {
  test(`${variant} goes from its button to its confirmation`, () =>
    site.play(screen, "en", async (scene) => {
      const { page, say } = scene;
      const dialog = page.locator("dialog.modal-dialog");
      await openIt(scene);
      await dialog.getByRole("heading", { name: say(`lead.deck_${variant}_title`) }).waitFor();
      const place = state === "waitlisted" ? "first_sold_out" : "first_available";
      await dialog.getByText(say(`lead.deck_${variant}_${place}_subtext`)).waitFor();
      await fillIn(scene);
      await scene.look(`enquiry-${variant}`);
      const sent = page.waitForResponse((response) => /\/api\/v0\/leads$/.test(response.url()));
      await dialog.locator(".dialog-foot button[type=submit]").click();
      const answer: { data: { state: string; lead_uuid: string; repeat: boolean } } = await (await sent).json();
      expect([answer.data.state, answer.data.repeat]).toEqual([state, false]);
      const success = dialog.getByText(say(`lead.deck_${variant}_${place}_success`));
      await success.first().waitFor();
      if (variant === "join_waitlist") {
        await dialog.locator("[data-waits='1']").waitFor();
        const place = await dialog.getByRole("link", { name: say("lead.wait_see") }).getAttribute("href");
        expect(place).toMatch(/^\/payments\//);
      }
      if (continues === "to the form") {
        await dialog.locator(".dialog-foot button[type=submit]").click();
        await dialog.waitFor({ state: "detached" });
        await page.locator(".steps-bar").waitFor();
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        expect(new URL(page.url()).searchParams.get("lead_uuid")).toBe(answer.data.lead_uuid);
        await scene.look(`enquiry-${variant}-continued`);
        return;
      }
      if (continues) {
        await dialog.getByRole("button", { name: say("lead.save_continue"), exact: true }).click();
        await dialog.locator(".ref").first().waitFor();
        await success.first().waitFor();
      }
      await dialog.locator(".ref").first().waitFor();
      await scene.look(`enquiry-${variant}-confirmed`);
    }));
}

// An enquiry past the hour's share is let in after a little work nobody sees.
test("an enquiry past the hour's share passes after hidden work", async () => {
  const strict = await startServer({ LATCHKEY_DEV_TOOLS: "false" });
  try {
    const others = new Marketplace(strict.url);
    const [home] = await others.homes("london", 5);
    const option = home?.room_types.flatMap(({ options }) => options).find(({ rooms_left }) => rooms_left > 0);
    if (!home || !option) throw new Error("no home can be booked");
    for (let sent = 0; sent < 4; sent++) await others.lead({ ...option, home: home.canonical_name });
    await expect(others.lead({ ...option, home: home.canonical_name })).rejects.toThrow("proof_of_work_required");
    const act = async (scene: Scene) => {
      await open(scene.page, "/");
      await scene.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await scene.page.locator("footer .foot-link").first().click();
      await fillIn(scene);
      await scene.page.locator("dialog.modal-dialog .dialog-foot button[type=submit]").click();
      await scene.page.locator("dialog.modal-dialog .ref").first().waitFor();
    };
    await site.play(phone, "zh", act, strict.url);
  } finally {
    await strict.stop();
  }
});

// An enquiry that was sent is changed: from the profile (`edit_details`), and from two tabs at once (D79, D82).

const dialogOf = (page: Page) => page.locator("dialog.modal-dialog");

interface SentLead {
  uuid: string;
  email: string;
}

interface StoredLead {
  state: string;
  user_details: { name: string; phone: string };
  data: { university?: string; move_in_date?: string; lease_duration?: string };
}

/** The lead as this reader's own browser is told it. */
async function stored(page: Page, { uuid }: SentLead): Promise<StoredLead> {
  const answer: { data: StoredLead } = await (await page.request.get(`/api/v0/leads/${uuid}`)).json();
  return answer.data;
}

/** Pays for the stay that the enquiry names, as its owner. */
async function pay(page: Page, lead: SentLead, { inventory_id }: Stay): Promise<void> {
  const payment = { lead_uuid: lead.uuid, inventory_id, payment_types: [] };
  const headers = { "idempotency-key": `${lead.uuid}.pay` };
  const opened = await page.request.post("/api/v0/payments", { data: { payment }, headers });
  const { data }: { data: { token: string } } = await opened.json();
  await site.market.begin(data.token);
  await expect.poll(async () => (await site.market.read(data.token)).status).toBe("initiated");
  await site.market.pay(data.token);
  await expect.poll(async () => (await stored(page, lead)).state).toBe("booked");
}

const changeElsewhere = ({ uuid }: SentLead, lead: unknown) =>
  site.market.call("PUT", `/api/v0/leads/${uuid}`, { lead });

async function openEdit({ say }: Scene, page: Page): Promise<void> {
  await open(page, "/profile/leads?tab=enquired");
  await page.getByRole("button", { name: say("profile.edit_details"), exact: true }).click();
  await dialogOf(page)
    .getByRole("heading", { name: say("lead.deck_edit_details_title") })
    .waitFor();
}

async function comeIn(scene: Scene, lead: SentLead): Promise<void> {
  await open(scene.page, "/?login=1&next=%2Fprofile%2Fleads%3Ftab%3Denquired");
  await logIn(scene, lead.email);
  await scene.page.waitForURL((url) => url.pathname === "/profile/leads");
}

const save = (page: Page) => dialogOf(page).locator(".dialog-foot button[type=submit]").click();

for (const { screen, lang } of chooseStagings([phoneZh])) {
  // A student changes an enquiry's details from the profile.
  test(`enquiry details are edited, at ${screen.width} px in ${lang}`, () =>
    site.play(screen, lang, async (scene) => {
      const stay = await site.market.stay();
      const lead = await site.market.lead(stay);
      const { page, say } = scene;
      await comeIn(scene, lead);
      await openEdit(scene, page);
      const dialog = dialogOf(page);
      const field = (name: string) => dialog.locator(`[name=${name}]`);
      await expect.poll(() => field("name").inputValue()).toBe("Maya Ramos");
      await expect.poll(() => field("phone_code").inputValue()).toBe("ES");
      await expect.poll(async () => (await field("phone").inputValue()).replace(/\D/g, "")).toBe("612345678");
      await field("phone").fill("699 000 111");
      await scene.look("edit-details");
      await save(page);
      await dialog.locator("#lead-university").fill("University College London");
      await save(page);
      const changes = dialog.locator("[data-changes]");
      await changes.waitFor();
      await scene.look("edit-details-changed");
      for (const word of ["+34699000111", "+34612345678", "University College London"])
        await expect.poll(() => changes.textContent()).toContain(word);
      const after = await stored(page, lead);
      expect([after.user_details.phone, after.user_details.name]).toEqual(["+34699000111", "Maya Ramos"]);
      // What was not touched stays to the day.
      expect(after.data).toMatchObject({ ...wishFor(stay), university: "University College London" });
      await dialog.getByRole("button", { name: say("lead.done"), exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await scene.look("edit-details-closed");
    }));
}

// An enquiry that was booked meanwhile takes no other dates and says so.
test("an enquiry booked meanwhile refuses other dates and says so", () =>
  site.play(phone, "en", async (scene) => {
    const stay = await site.market.stay();
    const lead = await site.market.lead(stay);
    const { page, say } = scene;
    await comeIn(scene, lead);
    await openEdit(scene, page);
    await pay(page, lead, stay);
    await dialogOf(page).getByLabel(say("lead.stay"), { exact: true }).selectOption("4 weeks");
    await save(page);
    await dialogOf(page).getByText(say("refusal.lead_closed")).waitFor();
    await dialogOf(page)
      .getByRole("button", { name: say("lead.try_again") })
      .waitFor({ state: "detached" });
    await scene.look("edit-details-refused");
    await dialogOf(page)
      .locator(".dialog-foot")
      .getByRole("button", { name: say("ui.close"), exact: true })
      .click();
    await dialogOf(page).waitFor({ state: "detached" });
    await open(page, "/profile/leads?tab=booked");
    await page.locator("article.bcard").waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: say("profile.edit_details"), exact: true }).count())
      .toBe(0);
  }));

// Two tabs change the same enquiry: the second is told, chooses, and nothing is lost.
test("two tabs editing an enquiry: the second chooses", () =>
  site.play(desktop, "en", async (scene) => {
    const lead = await site.market.lead(await site.market.stay());
    const { page: first, say } = scene;
    await comeIn(scene, lead);
    const second = await first.context().newPage();
    await openEdit(scene, first);
    await openEdit(scene, second);
    await dialogOf(first).locator("[name=name]").fill("Maya Ramos Ruiz");
    await dialogOf(first).locator("[name=phone]").fill("611 111 111");
    await save(first);
    await dialogOf(first).locator("#lead-university").waitFor();
    await dialogOf(second).locator("[name=phone]").fill("622 222 222");
    const answer = second.waitForResponse((response) => response.request().method() === "PUT");
    await save(second);
    expect((await answer).status()).toBe(409);
    const notice = dialogOf(second).locator("[data-clash]");
    await notice.waitFor();
    for (const phoneNumber of ["+34622222222", "+34611111111"])
      await expect.poll(() => notice.textContent()).toContain(phoneNumber);
    expect((await stored(first, lead)).user_details.phone).toBe("+34611111111");
    await notice.getByRole("button", { name: say("change.here"), exact: true }).click();
    await dialogOf(second).locator("#lead-university").waitFor();
    const after = await stored(first, lead);
    expect(after.user_details).toMatchObject({ name: "Maya Ramos Ruiz", phone: "+34622222222" });
    // Page 2 of the first tab has seen less than that: another answer of the second is not written over.
    await dialogOf(second).locator("#lead-university").fill("King's College London");
    await save(second);
    await dialogOf(second).locator("[data-changes]").waitFor();
    await dialogOf(first).locator("#lead-university").fill("University of Leeds");
    await save(first);
    const other = dialogOf(first).locator("[data-clash]");
    await other.waitFor();
    await scene.look("edit-details-clash");
    await other.getByRole("button", { name: say("change.there"), exact: true }).click();
    await dialogOf(first).locator("[data-changes]").waitFor();
    expect((await stored(first, lead)).data.university).toBe("King's College London");
  }));

/** Two stays that can be had in one room, and an enquiry for that room which names none yet. */
async function twoStays(): Promise<{ here: Stay; there: Stay; lead: SentLead }> {
  for (const home of await site.market.homes("london", 20)) {
    const open = home.room_types.flatMap(({ options }) => options).filter(({ rooms_left }) => rooms_left > 0);
    for (const option of open) {
      const other = open.find((one) => one.inventory_id === option.inventory_id && one !== option);
      if (!other) continue;
      const [here, there] = [option, other].map((one) => ({ ...one, home: home.canonical_name }));
      if (here && there) return { here, there, lead: await site.market.lead(here, {}) };
    }
  }
  throw new Error("no room of London is let for two stays");
}

const keyOf = (stay: Stay) => [stay.inventory_id, stay.move_in_date, stay.lease_duration].join("|");

for (const { where, go, keep, screen, lang } of [
  { where: "form", go: "booking.continue", keep: "there", screen: phone, lang: "zh" },
  { where: "payment", go: "payment.choose_go", keep: "here", screen: phone, lang: "en" },
] as const) {
  // Dates chosen on the … page are not written over those of another tab.
  test(`dates of the ${where} page do not overwrite another tab's`, () =>
    site.play(screen, lang, async (scene) => {
      const stays = await twoStays();
      const { page, say } = scene;
      const radio = (stay: Stay) => page.locator(`main input[type=radio][value="${keyOf(stay)}"]`);
      const goOn = () => page.getByRole("button", { name: say(go), exact: true }).click();
      const seen = page.waitForResponse((response) => response.url().includes(`/leads/${stays.lead.uuid}`));
      await open(page, `/places/${stays.here.home}/${where}?lead_uuid=${stays.lead.uuid}`);
      await seen;
      await changeElsewhere(stays.lead, { data: wishFor(stays.there) });
      await radio(stays.here).check();
      const answer = page.waitForResponse((response) => response.request().method() === "PUT");
      await goOn();
      expect((await answer).status()).toBe(409);
      const notice = page.locator("[data-clash]");
      await notice.waitFor();
      await scene.look(`stay-clash-${where}`);
      await notice.getByRole("button", { name: say(`change.${keep}`), exact: true }).click();
      await notice.waitFor({ state: "detached" });
      if (keep === "there") {
        await expect.poll(() => radio(stays.there).isChecked()).toBe(true);
        await goOn();
      }
      await radio(stays.here).waitFor({ state: "detached" });
      expect((await stored(page, stays.lead)).data).toMatchObject(wishFor(stays[keep]));
    }));
}
