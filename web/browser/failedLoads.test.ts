import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desktop, open, phone } from "./chromium.ts";
import type { Scene } from "./scene.ts";
import { openSite } from "./site.ts";

/** A page, or a part of one, that does not come: a sentence says why, and something leads on. */

const site = openSite();

const envelope = (code: string) =>
  JSON.stringify({ message: { code, user_friendly_message: code }, errors: [], request_id: "r-1" });

const failures = [
  ["a limit", { status: 429, headers: { "retry-after": "7" }, body: envelope("too_many") }, "start.too_many", 7],
  ["a busy server", { status: 503, headers: { "retry-after": "2" }, body: envelope("busy") }, "start.busy", 2],
  ["a fault in JSON", { status: 500, headers: {}, body: envelope("internal") }, "start.broken", 0],
  ["a proxy's HTML", { status: 502, headers: {}, body: "<html>Bad gateway</html>" }, "start.broken", 0],
] as const;

const toastOf = (page: Page, text: string) => page.locator(".toast", { hasText: text });

test.each(failures)("the next page fails by %s: said, and tried again", (_, answer, key, n) =>
  site.play(n === 7 ? phone : desktop, n === 7 ? "zh" : "en", async ({ page, say }) => {
    await open(page, "/privacy");
    await page.route("**/_page?*", (route) => route.fulfill(answer));
    await page
      .locator("footer")
      .getByRole("link", { name: say("shell.page_terms"), exact: true })
      .click();
    const told = toastOf(page, say(key, { n }));
    await told.waitFor();
    await page.unroute("**/_page?*");
    await told.getByRole("button", { name: say("start.retry"), exact: true }).click();
    await page.waitForURL(/\/terms$/);
    await told.waitFor({ state: "detached" });
  }),
);

test("a deploy took a dialog's code away: the page is loaded anew", () =>
  site.play(desktop, "en", async ({ page, say }) => {
    await open(page, "/terms");
    await page.route(/\/assets\/(LoginModal|login|dialog)/, (route) => route.fulfill({ status: 404, body: "" }));
    const logIn = page.locator("header").getByRole("button", { name: say("shell.log_in"), exact: true });
    await logIn.locator("visible=true").click();
    const told = toastOf(page, say("start.new_version"));
    await told.waitFor();
    await page.unroute(/\/assets\/(LoginModal|login|dialog)/);
    await Promise.all([
      page.waitForEvent("load"),
      told.getByRole("button", { name: say("start.reload"), exact: true }).click(),
    ]);
    await page.waitForFunction(() => document.documentElement.dataset["ready"] === "true");
    await logIn.locator("visible=true").click();
    await page.locator("dialog.modal-login").waitFor();
  }));

/** A browser that blocks cookies throws as soon as its storage is named. */
const blockStorage = ({ page }: Scene) =>
  page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
    }
    Object.defineProperty(navigator, "cookieEnabled", { get: () => false });
  });

/** Fills the storage: nothing more fits into it. */
const fillStorage = ({ page }: Scene) =>
  page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });

test.each([
  ["blocks storage", blockStorage, { email: "nora.block@example.org", phone: "7700900881" }, true],
  ["has a full storage", fillStorage, { email: "nora.full@example.org", phone: "7700900882" }, false],
] as const)("an enquiry is sent from a browser that %s", (_, spoil, { email, phone: number }, isBlocked) =>
  site.play(phone, "en", async (scene) => {
    const { page, say } = scene;
    await spoil(scene);
    await open(page, "/terms");
    await page.getByRole("button", { name: say("shell.ask_us") }).click();
    const dialog = page.locator("dialog.modal-dialog");
    await dialog.getByLabel(say("lead.name"), { exact: true }).fill("Nora Block");
    await dialog.getByLabel(say("lead.email"), { exact: true }).fill(email);
    await dialog.locator("select[name=phone_code]").selectOption("GB");
    await dialog.locator("#lead-phone").fill(number);
    await dialog.locator(".dialog-foot button[type=submit]").click();
    await page.locator("[data-enquiry=confirmation]").waitFor();
    await dialog.getByRole("button", { name: say("ui.close"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page
      .locator("footer")
      .getByRole("link", { name: say("shell.bookings") })
      .click();
    const login = page.locator("dialog.modal-login");
    if (isBlocked) await login.getByText(say("login.cookies_off")).waitFor();
    // Without a storage the address lasts as long as the page; a full one keeps nothing, and the login begins empty.
    const address = login.getByLabel(say("login.email"), { exact: true });
    await address.waitFor();
    await expect.poll(() => address.inputValue()).toBe(isBlocked ? email : "");
  }),
);

test("Back under a login over an enquiry closes the login alone", () =>
  site.play(phone, "en", async ({ page, say }) => {
    await open(page, "/terms");
    await page.getByRole("button", { name: say("shell.ask_us") }).click();
    const enquiry = page.locator("dialog.modal-dialog");
    const name = enquiry.getByLabel(say("lead.name"), { exact: true });
    await name.fill("Nora Back");
    const login = page.locator("dialog.modal-login");
    // The enquiry is given its entry in the history anew each time.
    for (let times = 0; times < 2; times += 1) {
      await enquiry.getByRole("button", { name: say("ui.show_support") }).click();
      await enquiry.getByRole("button", { name: say("mirror.log_in"), exact: true }).click();
      await login.waitFor();
      await page.goBack();
      await login.waitFor({ state: "detached" });
      await expect.poll(() => name.inputValue()).toBe("Nora Back");
      expect(new URL(page.url()).pathname).toBe("/terms");
    }
  }));
