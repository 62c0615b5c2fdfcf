import { expect, test } from "vitest";
import { desktop, phone, shot } from "./chromium.ts";
import { openSite } from "./site.ts";

/** The API reference is drawn from the served document, by files of this server alone, at every width. */

const site = openSite({ LATCHKEY_DEMO_CATALOGUE: "false" });

for (const screen of [desktop, phone]) {
  test(`reference lists operations and tries reads, at ${screen.width} px`, async () => {
    const { page, context, complaints } = await site.visit(screen, "en");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto("/docs");
    const operation = page.locator("#operations-regions-list_regions, .opblock-get").first();
    await operation.waitFor();
    await operation.locator(".opblock-summary").click();
    await operation.getByRole("button", { name: "Try it out" }).waitFor();
    await shot(page, `reference-${screen.width}`);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    const elsewhere = asked.filter((url) => !url.startsWith(site.url) && !url.startsWith("data:"));
    expect({ complaints, elsewhere, wider }).toEqual({ complaints: [], elsewhere: [], wider: 0 });
    await context.close();
  });
}
