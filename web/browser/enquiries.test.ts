import { expect, test } from "vitest";
import { desktop, open, phone } from "./chromium.ts";
import { Marketplace } from "./marketplace.ts";
import type { Scene } from "./scene.ts";
import { openSite, startServer } from "./site.ts";

/** Each kind of enquiry from the button that opens it to its confirmation (row C2; Spec §2, D26, D27). */

const site = openSite();
let people = 0;

/** How one kind is opened and what becomes of its lead. */
interface Kind {
  variant: string;
  state: "enquired" | "waitlisted";
  /** Leads on to a booking: page 2 comes before the confirmation. */
  continues: boolean;
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
    continues: true,
    openIt: async (scene) => {
      await open(scene.page, await firstHome("london"));
      await press(scene, "property.book");
    },
  },
  {
    variant: "apply_now",
    state: "enquired",
    continues: true,
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
    openIt: async (scene) => {
      await open(scene.page, await firstHome("london"));
      await press(scene, "property.ask_question");
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

for (const { variant, state, continues, openIt } of kinds) {
  test(`${variant} goes from its button to its confirmation`, () =>
    site.play(desktop, "en", async (scene) => {
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
