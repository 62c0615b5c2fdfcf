import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { desktop, open, phone, type Screen } from "./chromium.ts";
import { codeFor, logIn } from "./logIn.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { chooseStagings, desktopEn } from "./stagings.ts";
import type { Lang } from "./words.ts";

/** Login by phone: every way a code can fail, and how a person goes on from there (row F1, F5; D68). */

const site = openSite();

/** Somebody before the open login dialog, whose clock the test can move. */
function atLogin(screen: Screen, lang: Lang, act: (scene: Scene) => Promise<void>): Promise<void> {
  return site.play(screen, lang, async (scene) => {
    await scene.page.clock.install();
    await open(scene.page, "/?login=1");
    await dialogOf(scene).waitFor();
    await act(scene);
  });
}

const dialogOf = ({ page }: Scene) => page.locator("dialog.modal-login");
const codeField = (scene: Scene) => dialogOf(scene).getByLabel(scene.say("login.code_label"));
const alert = (scene: Scene) => dialogOf(scene).getByRole("alert");

async function sendToPhone(scene: Scene, number: string): Promise<void> {
  const { say } = scene;
  const dialog = dialogOf(scene);
  await dialog.getByRole("button", { name: say("login.phone_tab"), exact: true }).click();
  await dialog.locator("select[name=phone_code]").selectOption("GB");
  await dialog.locator("#login-phone").fill(number);
  await dialog.getByRole("button", { name: say("login.send"), exact: true }).click();
  await codeField(scene).waitFor();
}

/** Time goes by for the server, and for the page as far as it counts. */
async function wait({ page }: Scene, seconds: number): Promise<void> {
  const moved = await fetch(`${site.url}/dev/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ forward_seconds: seconds }),
  });
  expect(moved.status).toBe(200);
  await page.clock.runFor(seconds * 1000);
}

const another = (code: string) => (code === "000000" ? "000001" : "000000");

/** The refusal is the server's sentence in the reader's language, and the code is typed anew. */
async function isRefused(scene: Scene, code: string): Promise<void> {
  await codeField(scene).fill(code);
  await alert(scene).getByText(scene.say("validation.otp_wrong")).waitFor();
  await expect.poll(() => codeField(scene).inputValue()).toBe("");
}

for (const { device, screen, lang } of chooseStagings([desktopEn])) {
  const number = device === "phone" ? "7700900401" : "7700900301";
  // A phone logs in after a wrong, an expired and a new code.
  test(`phone login by the third code, ${screen.width} px, ${lang}`, () =>
    atLogin(screen, lang, async (scene) => {
      const { page, say, like } = scene;
      await sendToPhone(scene, number);
      const first = await codeFor(scene, `+44${number}`);
      await isRefused(scene, another(first));
      await scene.look("login-phone-wrong");
      // Not before thirty seconds.
      await dialogOf(scene).getByText(like("login.new_code_in")).waitFor();
      await wait(scene, 601);
      await isRefused(scene, first);
      await dialogOf(scene)
        .getByRole("button", { name: say("login.resend") })
        .click();
      await expect.poll(() => codeFor(scene, `+44${number}`)).not.toBe(first);
      // The mail may be there before the page has the answer, and with it the new request that a code belongs to.
      await dialogOf(scene).getByText(like("login.new_code_in")).waitFor();
      await codeField(scene).fill(await codeFor(scene, `+44${number}`));
      await dialogOf(scene).waitFor({ state: "detached" });
      await page.getByText(say("login.success"), { exact: true }).waitFor();
      await open(page, "/profile");
      await page.getByText(`+44${number}`).locator("visible=true").first().waitFor();
      await scene.look("login-phone-profile");
    }));
}

test("five wrong tries end a code, and another address starts anew", () =>
  atLogin(desktop, "en", async (scene) => {
    const { say } = scene;
    await sendToPhone(scene, "7700900501");
    const right = await codeFor(scene, "+447700900501");
    for (let tries = 0; tries < 5; tries++) await isRefused(scene, another(right));
    await isRefused(scene, right);
    await dialogOf(scene)
      .getByRole("button", { name: say("login.use_email") })
      .click();
    await dialogOf(scene).getByLabel(say("login.email"), { exact: true }).fill("switched@example.org");
    await dialogOf(scene)
      .getByRole("button", { name: say("login.send"), exact: true })
      .click();
    await codeField(scene).waitFor();
    await dialogOf(scene).getByText("switched@example.org").waitFor();
    await codeField(scene).fill(await codeFor(scene, "switched@example.org"));
    await dialogOf(scene).waitFor({ state: "detached" });
  }));

// Who asks too often is told how long to wait, beside the field.
test("too many codes: the wait is shown beside the field", () =>
  atLogin(phone, "zh", async (scene) => {
    const { say, like } = scene;
    const dialog = dialogOf(scene);
    await sendToPhone(scene, "7700900601");
    await dialog.getByRole("button", { name: say("login.change"), exact: true }).click();
    await dialog.getByRole("button", { name: say("login.send"), exact: true }).click();
    await dialog.getByText(like("validation.too_many_codes")).waitFor();
    await scene.look("login-too-often");
  }));

/** Doors to what is only shown to who is logged in: where each is, and how it is opened. */
const doors: readonly [name: string, from: string, screen: Screen, next: string, door: (scene: Scene) => Locator][] = [
  ["Shortlist in the header", "/terms", desktop, "/profile/shortlist", inHeader],
  ["Shortlist in the menu", "/places/search/leeds", phone, "/profile/shortlist", inMenu],
  ["bookings in the footer", "/places/search/leeds", desktop, "/profile/leads", inFooter],
  ["bookings after an enquiry", "/forms/submit", phone, "/profile/leads", inMain],
];

function inHeader({ page, say }: Scene): Locator {
  return page.locator("header").getByRole("link", { name: say("shell.shortlist") });
}

function inMenu({ page, say }: Scene): Locator {
  return page.getByRole("dialog").getByRole("link", { name: say("shell.shortlist") });
}

function inFooter({ page, say }: Scene): Locator {
  return page.locator("footer").getByRole("link", { name: say("shell.bookings") });
}

function inMain({ page, say }: Scene): Locator {
  return page.locator("main").getByRole("link", { name: say("lead.submitted_bookings") });
}

test.each(doors)("%s opens the login where it is pressed, and leads on", (_, from, screen, next, door) =>
  site.play(screen, screen === phone ? "zh" : "en", async (scene) => {
    const { page, say } = scene;
    await open(page, from);
    if (door === inMenu) await page.getByRole("button", { name: say("shell.menu") }).click();
    await door(scene).click();
    await dialogOf(scene).waitFor();
    expect(new URL(page.url()).pathname).toBe(from);
    await logIn(scene, `door${doors.findIndex(([, , , , one]) => one === door)}@example.org`);
    await page.waitForURL((url) => url.pathname === next);
    await page.goBack();
    await page.waitForURL((url) => url.pathname === from);
  }),
);

test("the login begins with the address that was just typed", () =>
  site.play(phone, "en", async (scene) => {
    const { page, say } = scene;
    await open(page, "/terms");
    await page.getByRole("button", { name: say("shell.ask_us") }).click();
    const enquiry = page.locator("dialog.modal-dialog");
    await enquiry.getByLabel(say("lead.email"), { exact: true }).fill("just.used@example.org");
    await enquiry.getByRole("button", { name: say("ui.close") }).click();
    await enquiry.getByRole("button", { name: say("lead.leave_go"), exact: true }).click();
    await enquiry.waitFor({ state: "detached" });
    await inFooter(scene).click();
    const address = dialogOf(scene).getByLabel(say("login.email"), { exact: true });
    await expect.poll(() => address.inputValue()).toBe("just.used@example.org");
  }));
