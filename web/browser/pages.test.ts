import { afterAll, beforeAll, expect, test } from "vitest";
import { axe, desktop, launch, open, phone, visitor } from "./chromium.ts";
import { type Server, startServer } from "./server.ts";

let server: Server;
let browser: Awaited<ReturnType<typeof launch>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const screens = { desktop, phone } as const;

for (const [device, screen] of Object.entries(screens)) {
  for (const lang of ["en", "zh"] as const) {
    test(`an address that leads nowhere says so on a ${device} in ${lang}`, async () => {
      const { page, context, complaints } = await visitor(browser, server.url, screen, lang);
      const status = await open(page, "/no-such-page");

      expect(status).toBe(404);
      expect(await page.locator("html").getAttribute("lang")).toBe(lang);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBeTruthy();
      expect(await axe(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    });
  }
}
